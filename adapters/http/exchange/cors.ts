import type { Match } from './router.ts';

/** The origins whose pages may post to public operations: all, or those listed. */
export type CorsOrigins = '*' | readonly string[];

/** Any but `Authorization`: pages send no credentials, and tools for tracing add fields of their own to their requests. */
const allowedHeaders = '*';
const exposedHeaders = 'API-Version, X-Request-Id, ETag, Error-Code, Deprecation, Sunset, Retry-After';
const preflightMaxAge = '600';

/** The request header fields that the CORS fields of the response depend on. */
interface OriginFields {
  readonly origin?: string | undefined;
  readonly 'access-control-request-method'?: string | undefined;
}

/**
 * The CORS fields of a response, errors included; empty if the path is closed to other origins. Every origin may read; those
 * that the merchant lists may post.
 */
export function corsHeaders(
  match: Match | null,
  requestMethod: string | undefined,
  headers: OriginFields,
  origins: CorsOrigins,
): readonly string[] {
  if (match === null || !match.route.crossOrigin) return [];
  const preflighted = requestMethod === 'OPTIONS' ? headers['access-control-request-method'] : undefined;
  const method = preflighted ?? requestMethod;
  const fields = method === 'POST' ? originFields(headers.origin, origins) : anyOrigin;
  if (preflighted === undefined) return [...fields, 'Access-Control-Expose-Headers', exposedHeaders];
  return [
    ...fields,
    'Access-Control-Allow-Methods',
    match.route.allow,
    'Access-Control-Allow-Headers',
    allowedHeaders,
    'Access-Control-Max-Age',
    preflightMaxAge,
  ];
}

const anyOrigin: readonly string[] = ['Access-Control-Allow-Origin', '*'];

function originFields(origin: string | undefined, origins: CorsOrigins): readonly string[] {
  if (origins === '*') return anyOrigin;
  const allowed = origin !== undefined && origins.includes(origin);
  return allowed ? ['Access-Control-Allow-Origin', origin, 'Vary', 'Origin'] : ['Vary', 'Origin'];
}
