import type { Call } from '../../call.ts';
import type { EntitlementHistory } from '../administration/all-entitlements.port.ts';
import type { Entitlement } from '../entitlement.ts';
import type { ChangeReason, HistoryEntry } from '../history-entry.ts';
import { endedAt, statusAt } from '../status.ts';
import { causesAt, causesOf } from '../suspension.ts';

/** Who withholds access from the buyer, why, and since when. */
export interface Why {
  /** Null if the buyer has access, or if it is unknown. The operator comes first if a payment withholds access, too. */
  readonly by: 'operator' | 'stripe' | 'clock' | null;
  /** Why a payment withholds access from the buyer. Null if none does, or if it is unknown. */
  readonly reason: ChangeReason | null;
  readonly at: Date | null;
}

/** The answer for a buyer who has access. */
export const hasAccess: Why = { by: null, reason: null, at: null };

/**
 * Finds out who withholds access from the buyer at one instant, and why. The history, the newest entry first, counts
 * for a suspension and a revocation only. A reason that it does not have, as in release 0.1.0, is null and never a
 * guess.
 */
export function whyOf(entitlement: Entitlement, history: readonly HistoryEntry[], now: Date): Why {
  const status = statusAt(entitlement, now);
  switch (status) {
    case 'trialing':
    case 'active':
    case 'past_due':
      return hasAccess;
    case 'suspended':
      return whySuspended(entitlement, history, now);
    case 'revoked':
      return whyRevoked(entitlement, history);
    case 'canceled':
    case 'expired':
      return { by: 'clock', reason: null, at: endedAt(entitlement, status) };
  }
}

/**
 * Does the same for an entitlement as it was read, at the instant of the call. Reads a history only where it counts.
 */
export async function readWhy(
  history: Pick<EntitlementHistory, 'list'>,
  entitlement: Entitlement,
  call: Call,
): Promise<Why> {
  const status = statusAt(entitlement, call.now);
  const counts = status === 'suspended' || status === 'revoked';
  return whyOf(entitlement, counts ? await history.list(entitlement.id, call) : [], call.now);
}

function whySuspended(entitlement: Entitlement, history: readonly HistoryEntry[], now: Date): Why {
  const causes = causesAt(entitlement, now);
  const reinstated = history.findIndex(({ operation }) => operation === 'reinstated');
  const since = reinstated < 0 ? history : history.slice(0, reinstated);
  const byPayment = causes.includes('payment') ? whyByPayment(entitlement, since) : hasAccess;
  if (!causes.includes('operator')) return byPayment;
  const entry = since.find((each) => isSuspension(each) && each.reason === null && each.by !== 'stripe');
  return { by: 'operator', reason: byPayment.reason, at: (entry ?? since.find(isBeginning))?.at ?? null };
}

function whyByPayment(entitlement: Entitlement, since: readonly HistoryEntry[]): Why {
  // A suspension by the clock has no entry, and its hold has no such cause.
  if (!causesOf(entitlement.hold).includes('payment')) {
    return { by: 'clock', reason: 'unpaid', at: entitlement.kind === 'subscription' ? entitlement.unpaidUntil : null };
  }
  // A suspension by Stripe without a reason is newer than every reason before it, so that none of them holds any more.
  const entry = since.find((each) => each.reason !== null || (isSuspension(each) && each.by === 'stripe'));
  if (entry !== undefined) return { by: 'stripe', reason: entry.reason, at: entry.at };
  return { by: null, reason: null, at: since.find((each) => isSuspension(each) || isBeginning(each))?.at ?? null };
}

function whyRevoked({ hold }: Entitlement, history: readonly HistoryEntry[]): Why {
  const at = hold.kind === 'revoked' ? hold.at : null;
  const entry = history.find(({ operation }) => operation === 'revoked');
  if (entry === undefined) return { by: null, reason: null, at };
  const { by, reason } = entry;
  return { by: reason !== null || by === 'stripe' ? 'stripe' : 'operator', reason, at };
}

function isSuspension({ operation }: HistoryEntry): boolean {
  return operation === 'suspended';
}

/** Whether an entitlement may have been suspended from its beginning on. */
function isBeginning({ operation }: HistoryEntry): boolean {
  return operation === 'granted' || operation === 'imported';
}
