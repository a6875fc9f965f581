import type { Entitlement, SuspensionCause } from '../entitlement/entitlement.ts';
import type { ChangeReason, HistoryEntry } from '../entitlement/history-entry.ts';
import { endedAt, hasEnded, statusAt } from '../entitlement/status.ts';
import { causesAt } from '../entitlement/suspension.ts';
import { whyOf } from '../entitlement/why/why.ts';
import { day } from '../parsing/duration.ts';

/** The time after the grant for which the key is shown, in milliseconds. */
const shownTime = day;

/** Why the key of a license that works is not shown: its day is over, it was never shown, or it is another one now. */
export type KeptKey = 'shown before' | 'never shown' | 'replaced' | 'none';

/** The state of a granted purchase, as its buyer may know it. */
export type ClaimState =
  /** The key is shown until then. */
  | { readonly state: 'ready'; readonly until: Date }
  | { readonly state: 'kept'; readonly key: KeptKey }
  | {
      readonly state: 'suspended';
      readonly causes: readonly SuspensionCause[];
      /** Why a payment suspends it. Null if none does, or nothing is known of it. */
      readonly reason: ChangeReason | null;
    }
  /** The money of a purchase was returned, by a refund or a lost dispute. The reason is null if nothing is known of it. */
  | { readonly state: 'refunded'; readonly at: Date; readonly reason: ChangeReason | null }
  | { readonly state: 'ended'; readonly at: Date };

/**
 * Decides what a buyer is shown. `hasGrantedKey` is whether the license key is still the one that was derived for the
 * grant. A grant by a command, for a sale of long ago, shows no key.
 */
export function claimStateOf(
  entitlement: Entitlement,
  history: readonly HistoryEntry[],
  hasGrantedKey: boolean,
  now: Date,
): ClaimState {
  const status = statusAt(entitlement, now);
  const why = whyOf(entitlement, history, now);
  if (hasEnded(status)) {
    const at = endedAt(entitlement, status) ?? now;
    // Stripe revokes a purchase for a full refund and a lost dispute alone.
    const isTakenBack = entitlement.kind === 'one_time' && why.by === 'stripe';
    return isTakenBack ? { state: 'refunded', at, reason: why.reason } : { state: 'ended', at };
  }
  if (status === 'suspended') return { state: 'suspended', causes: causesAt(entitlement, now), reason: why.reason };
  const { license } = entitlement;
  if (license === null) return { state: 'kept', key: 'none' };
  if (license.revokedAt !== null) return { state: 'ended', at: license.revokedAt };
  if (!hasGrantedKey) return { state: 'kept', key: 'replaced' };
  const grant = history.find(({ operation, by }) => operation === 'granted' && by === 'stripe');
  if (grant === undefined) return { state: 'kept', key: 'never shown' };
  const until = new Date(grant.at.getTime() + shownTime);
  return now < until ? { state: 'ready', until } : { state: 'kept', key: 'shown before' };
}
