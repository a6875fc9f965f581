import type { Precondition } from '../../../core/entitlement/merchant/change-cancellation.ts';
import { matchesEtag, weakEtag } from '../etag.ts';
import { parseHttpDate } from './http-date.ts';
import type { OperationRequest } from './operation.ts';
import { snapshotJson } from './views.ts';

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

/** What is not exactly one date is ignored (RFC 9110 §13.1.4). */
function unmodifiedSince([date, ...others]: readonly string[], now: Date): Date | null {
  return date === undefined || others.length > 0 ? null : parseHttpDate(date, now);
}

/** HTTP dates have no fractions of a second. */
function secondsOf(instant: Date): number {
  return Math.floor(instant.getTime() / 1000);
}
