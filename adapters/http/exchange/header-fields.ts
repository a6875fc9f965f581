import type { Trace } from '../../../core/call.ts';

/** The content of an `Authorization` header (RFC 6750 §2.1). */
export type Credential =
  | { readonly kind: 'none' }
  /** A Bearer credential that cannot be a key. */
  | { readonly kind: 'malformed' }
  | { readonly kind: 'token'; readonly token: string };

/** Longer credentials are malformed. */
const maxTokenLength = 256;

const bearer = /^bearer(?: +([^ ].*)?)?$/i;
const tokenSyntax = /^[A-Za-z0-9._~+/-]+=*$/;

/**
 * Parses the lines of the `Authorization` header. A Bearer credential beside another one is malformed, because it is
 * ambiguous.
 */
export function credentialOf(lines: readonly string[]): Credential {
  const match = lines.map((line) => bearer.exec(line)).find((found) => found !== null);
  if (match === undefined) return { kind: 'none' };
  if (lines.length > 1) return { kind: 'malformed' };
  const token = match[1] ?? '';
  if (token.length > maxTokenLength || !tokenSyntax.test(token)) return { kind: 'malformed' };
  return { kind: 'token', token };
}

/**
 * The value of `WWW-Authenticate` in a 401 or 403 (RFC 6750 §3, RFC 9728 §5.1). `metadataUrl` is null for a resource
 * without metadata.
 */
export function challenge(metadataUrl: string | null, parameters: Readonly<Record<string, string>> = {}): string {
  const all = Object.entries(metadataUrl === null ? parameters : { resource_metadata: metadataUrl, ...parameters });
  return ['Bearer', all.map(([name, value]) => `${name}="${value}"`).join(', ')].join(' ').trimEnd();
}

/** Version, trace id, parent id and flags; a version after 00 may have more (W3C Trace Context, "traceparent Header"). */
const traceparent = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(-.*)?$/;

/** Reads a `traceparent` field. Returns null if it is not valid; Node joins its lines, and two of them are not valid. */
export function traceOf(field: string | readonly string[] | undefined): Trace | null {
  if (typeof field !== 'string') return null;
  const [parent = '', version, id = '', more] = traceparent.exec(field) ?? [];
  if (id === '' || (version === '00' && more !== undefined)) return null;
  return { id, parent };
}
