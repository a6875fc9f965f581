import { edition } from './models.ts';

/** Where a client sends its requests, and with which key. */
export interface Target {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  /** The app key or operator key; null for a client that has none. */
  readonly key: string | null;
}

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** A finished try of a call. Contains no secret, so that it can be logged. */
export interface Attempt {
  readonly method: Method;
  readonly path: string;
  /** Counts the tries of the call from 1. */
  readonly attempt: number;
  readonly milliseconds: number;
  /** Null if there was no usable answer. */
  readonly status: number | null;
  /** Names the request in the logs of the service; null if there was no usable answer. */
  readonly correlationId: string | null;
  readonly etag: string | null;
  /** Whether the answer is that of an earlier request with the same idempotency key. */
  readonly replayed: boolean;
  /** Null for a success. */
  readonly error: Error | null;
}

/** The options of every client. */
export interface ConnectionOptions extends SharedOptions {
  /** Where the service is, such as `https://licenses.example`. */
  readonly baseUrl: string;
  /** Sends the requests. Default: the `fetch` of the platform. */
  readonly fetch?: typeof globalThis.fetch | undefined;
}

/** The options that a client has for all calls, and that a call can override. */
export interface SharedOptions {
  /** Milliseconds for one call, with its retries. Default: 30,000. */
  readonly timeout?: number | undefined;
  /** Maximum number of tries after the first. Default: 3. */
  readonly retries?: number | undefined;
  /** Called after each try, for logs, or for facts of an answer beside its data. Anything that it throws is ignored. */
  readonly onAttempt?: ((attempt: Attempt) => void) | undefined;
}

/** The options of every call. */
export interface CallOptions extends SharedOptions {
  /** Ends the call, which rejects with the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
  /** Header fields to be sent beside those of the client, such as `traceparent`. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** The time that a call may take, in milliseconds, and the number of retries. */
export interface Limits {
  readonly timeout: number;
  readonly retries: number;
}

/** Maximum timeout: a timer of more than 2^31 - 1 milliseconds would fire at once. */
const maxTimeout = 24 * 3_600_000;

/** The limits of a call or a client. Throws `RangeError` for one that cannot be used. */
export function limitsOf(options: SharedOptions, defaults: Limits): Limits {
  const { timeout = defaults.timeout, retries = defaults.retries } = options;
  if (!(timeout > 0 && timeout <= maxTimeout))
    throw new RangeError(`timeout must be milliseconds, above 0 and at most ${maxTimeout}`);
  if (!Number.isInteger(retries) || retries < 0) throw new RangeError('retries must be an integer from 0');
  return { timeout, retries };
}

export interface ClientRequest extends CallOptions {
  readonly method: Method;
  readonly path: string;
  /** Members that are undefined are left out. */
  readonly query?: object;
  /** Sent as JSON. */
  readonly body?: object;
  readonly idempotencyKey?: string;
  /** Whether the operation needs the key. */
  readonly needsKey?: boolean;
  /** Maximum size of a success. Default: 16 MiB, more than any page of a list has. */
  readonly maxBytes?: number;
  /** Whole seconds for which the service may hold the request, in addition to the timeout. */
  readonly wait?: number;
}

export function urlOf({ baseUrl }: Target, { path, query = {}, wait = 0 }: ClientRequest): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.append(name, String(value));
  if (wait > 0) search.append('wait', String(wait));
  const text = search.toString();
  return `${baseUrl}${path}${text === '' ? '' : `?${text}`}`;
}

/** The arguments of `fetch`, beside a signal. */
export interface RequestParts {
  readonly method: Method;
  readonly headers: Headers;
  readonly redirect: 'manual';
  readonly body?: string;
}

/** A redirect is not followed: it could lead a key elsewhere. */
export function initOf({ key }: Target, request: ClientRequest): RequestParts {
  const { method, body, idempotencyKey, needsKey = false } = request;
  const headers = new Headers(request.headers);
  headers.set('Accept', 'application/json');
  headers.set('API-Version', edition);
  if (needsKey) headers.set('Authorization', `Bearer ${key}`);
  if (body !== undefined) headers.set('Content-Type', 'application/json');
  if (idempotencyKey !== undefined) headers.set('Idempotency-Key', idempotencyKey);
  return {
    method,
    headers,
    redirect: 'manual',
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  };
}
