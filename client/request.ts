import { edition } from './models.ts';

/** Where a client sends its requests, and with which key. */
export interface Target {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly appKey: string | null;
}

/** One try of a call, as it is over. Has no secret: it can be logged. */
export interface Attempt {
  readonly method: 'GET' | 'POST';
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

/** What a client has for all calls, and a call can have of its own. */
export interface SharedOptions {
  /** Milliseconds for one call, with its retries. Default: 30,000. */
  readonly timeout?: number | undefined;
  /** Maximum number of tries after the first. Default: 3. */
  readonly retries?: number | undefined;
  /** Called after each try, for logs, or for what an answer says beside its data. What it throws is ignored. */
  readonly onAttempt?: ((attempt: Attempt) => void) | undefined;
}

/** What every call takes. */
export interface CallOptions extends SharedOptions {
  /** Ends the call, which rejects with the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
  /** Header fields to be sent beside those of the client, such as `traceparent`. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

export interface ClientRequest extends CallOptions {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** Members that are undefined are left out. */
  readonly query?: object;
  /** Sent as JSON. */
  readonly body?: object;
  readonly idempotencyKey?: string;
  /** Whether the operation needs the app key. */
  readonly needsKey?: boolean;
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

/** A redirect is not followed: it could lead the app key or a license key elsewhere. */
export function initOf({ appKey }: Target, request: ClientRequest) {
  const { method, body, idempotencyKey, needsKey = false } = request;
  const headers = new Headers(request.headers);
  headers.set('Accept', 'application/json');
  headers.set('API-Version', edition);
  if (needsKey) headers.set('Authorization', `Bearer ${appKey}`);
  if (body !== undefined) headers.set('Content-Type', 'application/json');
  if (idempotencyKey !== undefined) headers.set('Idempotency-Key', idempotencyKey);
  return {
    method,
    headers,
    redirect: 'manual',
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  } satisfies RequestInit;
}
