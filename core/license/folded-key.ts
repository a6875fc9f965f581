/** White space and invisible characters, which programs put into a key on its way, such as soft hyphens. */
const unseen = /[\s\p{Cf}]+/gu;

/** Forms of letters, digits and signs that East Asian keyboards have; each stands 0xFEE0 behind the ASCII that it means. */
const fullWidth = /[\uFF01-\uFF5E]/g;

const hyphens = /[\p{Pd}\u2212]/gu;

/** The form of most keys: ASCII without white space, and no quote before it. Nothing of it is folded. */
const plain = /^[!#-&(-_a-~][!-~]*$/;

const quotes = new Set('"\'`\u00AB\u00BB\u2018\u2019\u201A\u201B\u201C\u201D\u201E\u201F\u2039\u203A');

/**
 * Returns a key without what people and programs do to it on its way: white space and invisible characters anywhere, as
 * where a mail folds it; full-width forms; other hyphens than the one of ASCII; decomposed accents; and quotes around it.
 */
export function foldedKey(raw: string): string {
  if (plain.test(raw)) return raw;
  const seen = raw
    .replaceAll(unseen, '')
    .replaceAll(fullWidth, (each) => String.fromCharCode(each.charCodeAt(0) - 0xfee0))
    .replaceAll(hyphens, '-')
    .normalize('NFC');
  return withoutQuotes(seen);
}

/** Upper case of `a` to `z` alone. Unicode has more letters with the upper case of one of these, such as the long s. */
export function upperCase(text: string): string {
  return text.replaceAll(/[a-z]+/g, (letters) => letters.toUpperCase());
}

/** Removes quotes at both ends. One that stands at an end alone is part of the key. */
function withoutQuotes(text: string): string {
  let start = 0;
  let end = text.length;
  while (quotes.has(text.charAt(start))) start += 1;
  while (quotes.has(text.charAt(end - 1))) end -= 1;
  return start > 0 && end < text.length && start < end ? text.slice(start, end) : text;
}
