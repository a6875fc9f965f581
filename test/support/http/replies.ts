import { requestId, type Reply } from './http-client.ts';

/** The header fields of every response. */
export const commonHeaders = {
  'api-version': '2026-07-18',
  'x-request-id': requestId,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store',
} as const;

/** The header fields of every response with content. */
export const contentHeaders = { ...commonHeaders, 'content-type': 'application/json' } as const;

/** The header fields that public operations have in addition. */
export const corsHeaders = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'API-Version, X-Request-Id, ETag, Error-Code, Deprecation, Sunset, Retry-After',
} as const;

type Fields = Readonly<Record<string, string>>;

/** A refusal in the shape of specification 2.5. */
export function refused(status: number, code: string, error: string, more: Fields = {}): Reply {
  return {
    status,
    headers: { ...contentHeaders, 'error-code': code, ...more },
    body: { success: false, error, correlationId: requestId },
  };
}

/** A refusal of license verification, in the shape of specification 2.4. */
export function notVerified(status: number, code: string, error: string, more: Fields = {}): Reply {
  return {
    status,
    headers: { ...contentHeaders, ...corsHeaders, 'error-code': code, ...more },
    body: { valid: false, error },
  };
}

/** A success that no cache may store. */
export function succeeded(body: unknown, more: Fields = {}): Reply {
  return { status: 200, headers: { ...contentHeaders, ...more }, body };
}
