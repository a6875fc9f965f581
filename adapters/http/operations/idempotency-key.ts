import { refuse } from '../refusals.ts';

const printableAscii = /^[\x20-\x7e]*$/;
const quoted = /^"((?:[^"\\]|\\["\\])*)"$/;

/**
 * Reads the key from the `Idempotency-Key` lines of a request. A bare value and its quoted spelling (a String of RFC 9651
 * §3.3.3) are the same key. Refuses with `idempotency_key_missing` or `idempotency_key_invalid`.
 */
export function idempotencyKeyOf(lines: readonly string[]): string {
  const raw = lines[0] ?? ''; // the parser has trimmed it
  if (raw === '') throw refuse('idempotency_key_missing');
  const key = raw.startsWith('"') ? unquoted(raw) : raw;
  if (lines.length > 1 || key === null || key.trim() === '' || !printableAscii.test(key)) {
    throw refuse('idempotency_key_invalid');
  }
  if (key.length < 8 || key.length > 200) throw refuse('idempotency_key_invalid');
  return key;
}

function unquoted(raw: string): string | null {
  return quoted.exec(raw)?.[1]?.replaceAll(/\\(["\\])/g, '$1') ?? null;
}
