import type { StoreUnderTest } from '../stores/stores.ts';
import { operatorKeys } from './fixtures.ts';
import { send, type Reply } from './http-client.ts';
import { bearer, json, type HeaderLine } from './requests.ts';
import { freshService } from './service-hooks.ts';
import type { ServiceOptions, TestService } from './test-service.ts';

interface AdminRequest {
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Null for a request without a credential. Default: a key with every scope. */
  readonly key?: string | null;
  readonly headers?: readonly HeaderLine[];
}

/** Sends requests to the admin port of a service, whose answers must conform to the OpenAPI document. */
export class AdminClient {
  readonly service: TestService;

  constructor(service: TestService) {
    this.service = service;
  }

  /** `send('PUT', '/admin/products/prod_1', { body: { name: 'Sketchpad' } })`. */
  send(
    method: string,
    path: string,
    { body, key = operatorKeys.full, headers = [] }: AdminRequest = {},
  ): Promise<Reply> {
    const all = [...(key === null ? [] : [bearer(key)]), ...(body === undefined ? [] : [json]), ...headers];
    const content = body === undefined ? {} : { body: JSON.stringify(body) };
    return send(`${this.service.adminUrl}${path}`, { method, headers: all, ...content });
  }

  get(path: string): Promise<Reply> {
    return this.send('GET', path);
  }

  post(path: string, body?: unknown): Promise<Reply> {
    return this.send('POST', path, { body });
  }

  put(path: string, body: unknown): Promise<Reply> {
    return this.send('PUT', path, { body });
  }

  /** The changes in the log, without the fields of every line. */
  get changes(): readonly object[] {
    const lines = this.service.logged.filter(({ message }) => message === 'changed');
    return lines.map(({ level: _level, time: _time, message: _message, ...change }) => change);
  }
}

/** Starts a service with an operator key of every scope before each test of the calling suite, and stops it afterwards. */
export function freshAdmin(store: StoreUnderTest, options: ServiceOptions = {}): () => AdminClient {
  const service = freshService(store, { adminPort: 0, ...options });
  beforeEach(() => service().addOperatorKey(operatorKeys.full));
  return () => new AdminClient(service());
}

/** The `data` of an answer. */
export function dataOf({ body }: Reply): unknown {
  return (body as { readonly data?: unknown }).data;
}

/** The status of an answer, and its error code and message if it refuses. */
export function outcomeOf({ status, headers, body }: Reply): readonly unknown[] {
  return [status, headers['error-code'], (body as { readonly error?: unknown }).error];
}
