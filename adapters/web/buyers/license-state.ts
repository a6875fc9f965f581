import type { Entitlement } from '../../../core/entitlement/entitlement.ts';
import { statusAt } from '../../../core/entitlement/status.ts';
import { badge } from '../console/display/badge.ts';
import type { Html } from '../markup/html.ts';
import { stateSaid, type StateSaid } from '../markup/state-said.ts';
import type { Words } from '../markup/words.ts';

/** What a buyer can do with a license: use it, pay for it, wait for the seller, or buy it anew. */
export type LicenseUse = 'works' | 'late' | 'unpaid' | 'held' | 'over';

/** The state of a license, as its buyer reads it. */
export interface LicenseState {
  readonly use: LicenseUse;
  readonly badge: Html;
  readonly says: Html;
}

const uses: Readonly<Record<StateSaid['name'], LicenseUse>> = {
  worksRenews: 'works',
  worksForever: 'works',
  worksUntil: 'works',
  worksTrial: 'works',
  worksScheduled: 'works',
  latePayment: 'late',
  heldForPayment: 'unpaid',
  heldBySeller: 'held',
  endedCanceled: 'over',
  endedNotRenewed: 'over',
  endedTakenBack: 'over',
};

export function licenseState(entitlement: Entitlement, now: Date, words: Words): LicenseState {
  const { name, date } = stateSaid(entitlement, now);
  const use = uses[name];
  const isTrial = statusAt(entitlement, now) === 'trialing';
  return {
    use,
    badge: isTrial ? badge('info', words.plain('trial')) : badgeOf(use, words),
    says: words.of(name, date === null ? {} : { date: words.day(date) }),
  };
}

function badgeOf(use: LicenseUse, words: Words): Html {
  switch (use) {
    case 'works':
      return badge('ok', words.plain('active'));
    case 'late':
      return badge('warn', words.plain('paymentMissing'));
    case 'unpaid':
    case 'held':
      return badge('paused', words.plain('onHold'));
    case 'over':
      return badge('over', words.plain('ended'));
  }
}
