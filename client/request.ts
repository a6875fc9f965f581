import { edition } from './models.ts';

/** Where a client sends its requests, and with which key. */
export interface Target {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly appKey: string | null;
}

/** What every call takes. */
export interface CallOptions {
  /** Ends the call, which rejects with the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
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
export function initOf({ appKey }: Target, { method, body, idempotencyKey, needsKey = false }: ClientRequest) {
  const headers: Record<string, string> = { Accept: 'application/json', 'API-Version': edition };
  if (needsKey && appKey !== null) headers['Authorization'] = `Bearer ${appKey}`;
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  if (idempotencyKey !== undefined) headers['Idempotency-Key'] = idempotencyKey;
  return {
    method,
    headers,
    redirect: 'manual',
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  } satisfies RequestInit;
}
