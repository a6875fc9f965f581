import { base64urlOf } from './jws.ts';

/** The form of the keys that the service issues, without hyphens: 30 symbols of Crockford's base 32. */
const issuedForm = /^LK[\dA-HJKMNP-TV-Z]{30}$/;

/** White space and invisible characters, which programs put into a key on its way, such as soft hyphens. */
const unseen = /[\s\p{Cf}]+/gu;

/** Forms of letters, digits and signs that East Asian keyboards have; each stands 0xFEE0 behind the ASCII that it means. */
const fullWidth = /[\uFF01-\uFF5E]/g;

const hyphens = /[\p{Pd}\u2212]/gu;

const quotes = new Set('"\'`\u00AB\u00BB\u2018\u2019\u201A\u201B\u201C\u201D\u201E\u201F\u2039\u203A');

/**
 * Reports whether a receipt's `key` stands for a license key, which may be spelled in any way that the service accepts. The
 * service also looks at the check symbol. That is not needed here, because no receipt is issued for a key whose symbol is
 * wrong.
 */
export async function isDigestOf(licenseKey: unknown, digest: unknown): Promise<boolean> {
  if (typeof licenseKey !== 'string') return false;
  // Earlier releases of the service removed white space at the ends only, and have stored the digests of such spellings.
  const texts = [licenseKey.trim(), foldedKey(licenseKey)];
  for (const spelling of new Set(texts.flatMap((text) => [text, issuedSpelling(text)]))) {
    if ((await digestOf(spelling)) === digest) return true;
  }
  return false;
}

/** Code points of a license key that the service looks up. It calls a longer one malformed. */
const maxLength = 120;

/**
 * A license key as it is sent: without white space at its ends, and one that would be too long without all that does not
 * count. A program without types may have no key at all.
 */
export function sentKey(typed: string): string {
  if (typeof typed !== 'string') return typed;
  const text = typed.trim();
  return [...text].length > maxLength ? foldedKey(text) : text;
}

/** A key without what people and programs do to it on its way. */
function foldedKey(raw: string): string {
  const seen = raw
    .replaceAll(unseen, '')
    .replaceAll(fullWidth, (each) => String.fromCharCode(each.charCodeAt(0) - 0xfee0))
    .replaceAll(hyphens, '-')
    .normalize('NFC');
  return withoutQuotes(seen);
}

/** Removes quotes at both ends. One that stands at an end alone is part of the key. */
function withoutQuotes(text: string): string {
  let start = 0;
  let end = text.length;
  while (quotes.has(text.charAt(start))) start += 1;
  while (end > start && quotes.has(text.charAt(end - 1))) end -= 1;
  return start > 0 && end < text.length && start < end ? text.slice(start, end) : text;
}

/** In a key of the issued form, case, spaces and hyphens do not count, O is 0, and I and L are 1. */
function issuedSpelling(text: string): string {
  // Upper case of `a` to `z` alone: Unicode has more letters with the upper case of one of these, such as the long s.
  const bare = text.replaceAll(/[\s-]/g, '').replaceAll(/[a-z]+/g, (letters) => letters.toUpperCase());
  const candidate = bare.slice(0, 2) + bare.slice(2).replaceAll('O', '0').replaceAll(/[IL]/g, '1');
  return issuedForm.test(candidate) ? candidate : text;
}

/** The SHA-256 of a text, in base64url. */
export async function digestOf(text: string): Promise<string> {
  return base64urlOf(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))));
}
