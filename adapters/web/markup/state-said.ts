import type { Entitlement } from '../../../core/entitlement/entitlement.ts';
import { endingOf } from '../../../core/entitlement/event/ending-soon.ts';
import { endedAt, hasEnded, statusAt, type EntitlementStatus } from '../../../core/entitlement/status.ts';
import { causesAt } from '../../../core/entitlement/suspension.ts';

type EndedStatus = Extract<EntitlementStatus, 'canceled' | 'expired' | 'revoked'>;

const ends = {
  canceled: 'endedCanceled',
  expired: 'endedNotRenewed',
  revoked: 'endedTakenBack',
} as const satisfies Readonly<Record<EndedStatus, string>>;

/** What a buyer is said about the state of a license: the name of a text, and the date in it. */
export interface StateSaid {
  readonly name:
    | (typeof ends)[EndedStatus]
    | 'heldForPayment'
    | 'heldBySeller'
    | 'latePayment'
    | 'worksForever'
    | 'worksUntil'
    | 'worksScheduled'
    | 'worksTrial'
    | 'worksRenews';
  /** Null for a text without a date. */
  readonly date: Date | null;
}

export function stateSaid(entitlement: Entitlement, now: Date): StateSaid {
  const status = statusAt(entitlement, now);
  if (hasEnded(status)) return { name: ends[status], date: endedAt(entitlement, status) ?? now };
  if (status === 'suspended') {
    return { name: causesAt(entitlement, now).includes('operator') ? 'heldBySeller' : 'heldForPayment', date: null };
  }
  if (status === 'past_due') return { name: 'latePayment', date: endingOf(entitlement)?.endsAt ?? now };
  if (entitlement.kind === 'one_time') {
    const { accessEndsAt: date } = entitlement;
    return { name: date === null ? 'worksForever' : 'worksUntil', date };
  }
  const { cancellation, currentPeriodEnd } = entitlement;
  if (cancellation !== null) return { name: 'worksScheduled', date: cancellation.at };
  return { name: status === 'trialing' ? 'worksTrial' : 'worksRenews', date: currentPeriodEnd };
}
