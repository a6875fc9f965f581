import type { Entitlement } from '../../../core/entitlement/entitlement.ts';
import { endingOf } from '../../../core/entitlement/event/ending-soon.ts';
import { endedAt, hasEnded, statusAt, type EntitlementStatus } from '../../../core/entitlement/status.ts';
import { causesAt } from '../../../core/entitlement/suspension.ts';
import { badge } from '../console/display/badge.ts';
import type { TextName } from '../markup/buyer-texts.ts';
import type { Html } from '../markup/html.ts';
import type { Words } from '../markup/words.ts';

/** What a buyer can do with a license: use it, pay for it, wait for the seller, or buy it anew. */
export type LicenseUse = 'works' | 'late' | 'unpaid' | 'held' | 'over';

/** The state of a license, as its buyer reads it. */
export interface LicenseState {
  readonly use: LicenseUse;
  readonly badge: Html;
  readonly says: Html;
}

export function licenseState(entitlement: Entitlement, now: Date, words: Words): LicenseState {
  const status = statusAt(entitlement, now);
  if (hasEnded(status)) {
    const date = words.day(endedAt(entitlement, status) ?? now);
    return { use: 'over', badge: badge('over', words.plain('ended')), says: words.of(endTexts[status], { date }) };
  }
  if (status === 'suspended') {
    const isUnpaid = !causesAt(entitlement, now).includes('operator');
    const says = words.of(isUnpaid ? 'heldForPayment' : 'heldBySeller');
    return { use: isUnpaid ? 'unpaid' : 'held', badge: badge('paused', words.plain('onHold')), says };
  }
  if (status === 'past_due') {
    const ending = endingOf(entitlement);
    const says =
      ending === null ? words.of('latePaymentForever') : words.of('latePayment', { date: words.day(ending.endsAt) });
    return { use: 'late', badge: badge('warn', words.plain('paymentMissing')), says };
  }
  const shown = status === 'trialing' ? badge('info', words.plain('trial')) : badge('ok', words.plain('active'));
  return { use: 'works', badge: shown, says: worksUntil(entitlement, status, words) };
}

type EndedStatus = Extract<EntitlementStatus, 'canceled' | 'expired' | 'revoked'>;

const endTexts: Readonly<Record<EndedStatus, TextName>> = {
  canceled: 'endedCanceled',
  expired: 'endedNotRenewed',
  revoked: 'endedTakenBack',
};

function worksUntil(entitlement: Entitlement, status: 'active' | 'trialing', words: Words): Html {
  if (entitlement.kind === 'one_time') {
    const { accessEndsAt } = entitlement;
    return accessEndsAt === null ? words.of('worksForever') : words.of('worksUntil', { date: words.day(accessEndsAt) });
  }
  const { cancellation, currentPeriodEnd } = entitlement;
  if (cancellation !== null) return words.of('worksScheduled', { date: words.day(cancellation.at) });
  const date = words.day(currentPeriodEnd);
  return words.of(status === 'trialing' ? 'worksTrial' : 'worksRenews', { date });
}
