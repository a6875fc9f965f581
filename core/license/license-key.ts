import { textThat } from '../parsing/value-rule.ts';
import { randomText, type Digest, type RandomBytes } from '../secret.ts';
import { foldedKey, upperCase } from './folded-key.ts';

/** Crockford's base 32: no I, L, O or U. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const groups = 6;
const groupLength = 5;
const symbols = groups * groupLength;
const issuedForm = new RegExp(`^LK[${alphabet}]{${symbols}}$`);

export const licenseKeyMinLength = 24;
export const licenseKeyMaxLength = 120;

/** Generates a key: `LK-` and six groups of five symbols, which are 145 random bits and a check symbol. */
export function generateLicenseKey(randomBytes: RandomBytes): string {
  const body = randomText(alphabet, symbols - 1, randomBytes);
  const all = body + checkSymbol(body);
  const parts = ['LK'];
  for (let start = 0; start < symbols; start += groupLength) parts.push(all.slice(start, start + groupLength));
  return parts.join('-');
}

/** Reports whether a raw value is 24 to 120 code points long. Nothing else makes a license key malformed. */
export function hasLicenseKeyLength(raw: string): boolean {
  if (raw.length < licenseKeyMinLength || raw.length > 2 * licenseKeyMaxLength) return false;
  const length = raw.length <= licenseKeyMaxLength && !/[\uD800-\uDBFF]/.test(raw) ? raw.length : [...raw].length;
  return length >= licenseKeyMinLength && length <= licenseKeyMaxLength;
}

/** The number of characters of an imported key that must be seen, so that it is neither blank nor easy to guess. */
const minSeen = 16;

/**
 * Reports whether a license can have a key that was made elsewhere. White space at its ends does not count, so that a
 * blank text is not a key. Unpaired surrogates are refused, because they all have the same digest.
 */
export function canBeImported(key: string): boolean {
  if (!hasLicenseKeyLength(key) || !hasLicenseKeyLength(key.trim()) || !key.isWellFormed()) return false;
  return [...licenseKeyIdentity(key)].length >= minSeen;
}

export const licenseKeyRule = textThat(
  canBeImported,
  `must have ${licenseKeyMinLength} to ${licenseKeyMaxLength} characters, not counting white space at its ends, ${minSeen} of them neither white space nor invisible, and be well-formed Unicode`,
);

/**
 * Returns the same text for every spelling of a key. In a key of the issued form, case and hyphens do not count, O is 0,
 * and I and L are 1. Any other key is imported, and is folded by `foldedKey` only, as an issued one is too.
 */
export function licenseKeyIdentity(raw: string): string {
  return issuedOr(foldedKey(raw));
}

/** The bare symbols of a key of the issued form; any other text as it is. */
function issuedOr(text: string): string {
  const bare = upperCase(text.replaceAll(/[\s-]/g, ''));
  if (!bare.startsWith('LK')) return text;
  const candidate = 'LK' + bare.slice(2).replaceAll('O', '0').replaceAll(/[IL]/g, '1');
  return issuedForm.test(candidate) && checkSymbol(candidate.slice(2, -1)) === candidate.slice(-1) ? candidate : text;
}

/** Whether a text begins as an issued key does, so that somebody has typed or copied one. */
export function hasIssuedForm(raw: string): boolean {
  return /^LK-*[0-9A-Z]{3}/i.test(foldedKey(raw));
}

/** Whether a text is an issued key, in any spelling: its check symbol fits. */
export function isIssuedKey(raw: string): boolean {
  return issuedForm.test(licenseKeyIdentity(raw));
}

/** The digest by which a license is stored and looked up. */
export function licenseDigest(raw: string, digest: Digest): string {
  return digest(licenseKeyIdentity(raw));
}

/** The last four characters, for display, or null if fewer than 20 characters would stay unknown. */
export function lastFourOf(raw: string): string | null {
  const identity = [...licenseKeyIdentity(raw)];
  return identity.length >= 24 ? identity.slice(-4).join('') : null;
}

/** Luhn's check modulo 32, which detects every wrong symbol and nearly every swap of two neighbours. */
function checkSymbol(body: string): string {
  let sum = 0;
  let factor = 2;
  for (let position = body.length - 1; position >= 0; position -= 1) {
    const addend = factor * alphabet.indexOf(body.charAt(position));
    sum += Math.floor(addend / alphabet.length) + (addend % alphabet.length);
    factor = 3 - factor;
  }
  return alphabet.charAt((alphabet.length - (sum % alphabet.length)) % alphabet.length);
}
