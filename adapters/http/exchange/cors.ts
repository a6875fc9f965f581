import type { Match } from './router.ts';

/** From where browsers may post to public operations: everywhere, or these origins. */
export type CorsOrigins = '*' | readonly string[];

const allowedHeaders = 'Content-Type, API-Version, X-Request-Id, If-None-Match';
const exposedHeaders = 'API-Version, X-Request-Id, ETag, Error-Code, Deprecation, Sunset, Retry-After';
const preflightMaxAge = '600';

/** The fields of a request that its answer's CORS fields depend on. */
interface OriginFields {
  readonly origin?: string | undefined;
  readonly 'access-control-request-method'?: string | undefined;
}

/**
 * The CORS fields of a response on a path that is open to other origins, errors included; none anywhere else. Reading is open to every
 * origin; posting to those that the merchant names.
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
