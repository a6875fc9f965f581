import { createHash } from 'node:crypto';

/** The token of an `Authorization` header, or null. */
export function tokenOf(authorization: string | undefined): string | null {
  return /^Bearer (\S+)$/.exec(authorization ?? '')?.[1] ?? null;
}

/** The digest of the license key in a verification request, or null if the body has none. */
export function licenseDigestOf(body: unknown): string | null {
  const { licenseKey } = body as { readonly licenseKey?: unknown };
  if (typeof licenseKey !== 'string' || licenseKey.length < 24 || licenseKey.length > 120) return null;
  return digest(licenseKey.replaceAll('-', ''));
}

export function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}
