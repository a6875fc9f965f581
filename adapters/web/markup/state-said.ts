import type { Entitlement } from '../../../core/entitlement/entitlement.ts';
import { endingOf } from '../../../core/entitlement/event/ending-soon.ts';
import type { ChangeReason } from '../../../core/entitlement/history-entry.ts';
import { endedAt, statusAt } from '../../../core/entitlement/status.ts';
import type { Why } from '../../../core/entitlement/why/why.ts';

/** The texts about a held license, by the reason that a payment has. */
const held = {
  refunded: 'heldRefunded',
  disputed: 'heldDisputed',
  dispute_lost: 'heldDisputeLost',
  unpaid: 'heldForPayment',
  paused: 'heldPaused',
} as const satisfies Readonly<Record<ChangeReason, string>>;

/** The texts about a revoked license, by the reason that a payment has. Stripe revokes for these two alone. */
const revoked: Readonly<Partial<Record<ChangeReason, 'endedRefunded' | 'endedDisputeLost'>>> = {
  refunded: 'endedRefunded',
  dispute_lost: 'endedDisputeLost',
};

/** The text about the state of a license for its buyer: its name, and the date in it. */
export interface StateSaid {
  readonly name:
    | (typeof held)[ChangeReason]
    | 'heldBySeller'
    | 'heldUnknown'
    | 'endedCanceled'
    | 'endedNotRenewed'
    | 'endedTakenBack'
    | 'endedRefunded'
    | 'endedDisputeLost'
    | 'latePayment'
    | 'worksForever'
    | 'worksUntil'
    | 'worksScheduled'
    | 'worksTrial'
    | 'worksRenews';
  /** Null for a text without a date. */
  readonly date: Date | null;
}

/** Decides which state a buyer is shown. `why` is the reason if there is no access. */
export function stateSaid(entitlement: Entitlement, why: Why, now: Date): StateSaid {
  const status = statusAt(entitlement, now);
  switch (status) {
    case 'revoked':
      return { name: (why.reason && revoked[why.reason]) ?? 'endedTakenBack', date: why.at ?? now };
    case 'canceled':
      return { name: 'endedCanceled', date: endedAt(entitlement, status) ?? now };
    case 'expired':
      return { name: 'endedNotRenewed', date: endedAt(entitlement, status) ?? now };
    case 'suspended':
      return heldSaid(why, now);
    case 'past_due':
      return { name: 'latePayment', date: endingOf(entitlement)?.endsAt ?? now };
    case 'trialing':
    case 'active':
      return worksSaid(entitlement, status);
  }
}

/** If the seller and a payment hold a license, the seller is named. */
function heldSaid({ by, reason, at }: Why, now: Date): StateSaid {
  if (by === 'operator') return { name: 'heldBySeller', date: null };
  if (reason === null) return { name: 'heldUnknown', date: null };
  const hasDate = reason === 'refunded' || reason === 'dispute_lost';
  return { name: held[reason], date: hasDate ? (at ?? now) : null };
}

function worksSaid(entitlement: Entitlement, status: 'trialing' | 'active'): StateSaid {
  if (entitlement.kind === 'one_time') {
    const { accessEndsAt: date } = entitlement;
    return { name: date === null ? 'worksForever' : 'worksUntil', date };
  }
  const { cancellation, currentPeriodEnd } = entitlement;
  if (cancellation !== null) return { name: 'worksScheduled', date: cancellation.at };
  return { name: status === 'trialing' ? 'worksTrial' : 'worksRenews', date: currentPeriodEnd };
}
