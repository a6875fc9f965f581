import type { Precondition } from '../../../core/entitlement/merchant/change-cancellation.ts';
import { matchesEtag, weakEtag } from '../etag.ts';
import { refuse } from '../refusals.ts';
import { parseHttpDate } from './http-date.ts';
import type { OperationRequest } from './operation.ts';
import { snapshotJson } from './views.ts';

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

/**
 * Reads the precondition of a request that changes an entitlement: `If-Match` or else `If-Unmodified-Since`, and
 * `If-None-Match`, in this order (RFC 9110 §13.2.2). The tags are those of the entitlement as it is read. Returns null if
 * the request is unconditional.
 */
export function preconditionOf({ header, call, inEdition }: OperationRequest): Precondition | null {
  const ifMatch = header('if-match');
  const ifNoneMatch = header('if-none-match');
  const since = ifMatch.length > 0 ? null : unmodifiedSince(header('if-unmodified-since'), call.now);
  if (ifMatch.length === 0 && ifNoneMatch.length === 0 && since === null) return null;
  return (current, modified) => {
    const etag = inEdition(weakEtag(snapshotJson(current)));
    if (ifMatch.length > 0 && !matchesEtag(ifMatch, etag, 'strong')) return false;
    if (since !== null && secondsOf(modified) > secondsOf(since)) return false;
    return ifNoneMatch.length === 0 || !matchesEtag(ifNoneMatch, etag, 'weak');
  };
}

/** A value that is not exactly one date is ignored (RFC 9110 §13.1.4). */
function unmodifiedSince([date, ...others]: readonly string[], now: Date): Date | null {
  return date === undefined || others.length > 0 ? null : parseHttpDate(date, now);
}

/** HTTP dates have no fractions of a second. */
function secondsOf(instant: Date): number {
  return Math.floor(instant.getTime() / 1000);
}
