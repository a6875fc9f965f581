import { base64urlOf } from './jws.ts';

/** The form of the keys that the service issues, without hyphens: 30 symbols of Crockford's base 32. */
const issuedForm = /^LK[\dA-HJKMNP-TV-Z]{30}$/;

/**
 * Reports whether a receipt's `key` stands for a license key, which may be spelled in any way that the service accepts. The
 * service also looks at the check symbol. That is not needed here, because no receipt is issued for a key whose symbol is
 * wrong.
 */
export async function isDigestOf(licenseKey: unknown, digest: unknown): Promise<boolean> {
  if (typeof licenseKey !== 'string') return false;
  for (const spelling of new Set([licenseKey.trim(), issuedSpelling(licenseKey)])) {
    if ((await digestOf(spelling)) === digest) return true;
  }
  return false;
}

/** In a key of the issued form, case, spaces and hyphens do not count, O is 0, and I and L are 1. */
function issuedSpelling(licenseKey: string): string {
  const bare = licenseKey.replaceAll(/[\s-]/g, '').toUpperCase();
  const candidate = bare.slice(0, 2) + bare.slice(2).replaceAll('O', '0').replaceAll(/[IL]/g, '1');
  return issuedForm.test(candidate) ? candidate : licenseKey.trim();
}

async function digestOf(text: string): Promise<string> {
  return base64urlOf(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))));
}
