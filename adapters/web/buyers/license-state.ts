import type { BuyersLicense } from '../../../core/buyer/buyers-license.ts';
import { statusAt } from '../../../core/entitlement/status.ts';
import { badge, type Tone } from '../markup/badge.ts';
import type { TextName } from '../markup/buyer-texts.ts';
import type { Html } from '../markup/html.ts';
import { stateSaid, type StateSaid } from '../markup/state-said.ts';
import type { Words } from '../markup/words.ts';

/**
 * The use of a license by a buyer: to open the program, to pay for it, to ask about money that was returned, or to ask
 * the seller.
 */
export type LicenseUse = 'works' | 'late' | 'unpaid' | 'refunded' | 'disputed' | 'held';

/** Where the account of the buyer at the shop helps. */
export type AccountButton = 'updatePayment' | 'yourAccount' | 'buyItAgain';

/** The state of a license, as its buyer reads it. */
export interface LicenseState {
  readonly use: LicenseUse;
  readonly badge: Html;
  readonly says: Html;
  /** The one button that leads to the account; null for none. */
  readonly button: AccountButton | null;
}

interface Look {
  readonly use: LicenseUse;
  readonly badge: readonly [tone: Tone, word: TextName];
  readonly button?: AccountButton;
}

const works: Look = { use: 'works', badge: ['ok', 'active'] };
const onHold = ['paused', 'onHold'] as const;
const ended = ['over', 'ended'] as const;
const refunded = ['paused', 'refunded'] as const;

/** The look of each state. A license for which Stripe may go on charging is not bought again: that would sell it twice. */
const looks: Readonly<Record<StateSaid['name'], Look>> = {
  worksRenews: works,
  worksForever: works,
  worksUntil: works,
  worksTrial: { ...works, badge: ['info', 'trial'] },
  worksScheduled: works,
  latePayment: { use: 'late', badge: ['warn', 'paymentMissing'] },
  heldForPayment: { use: 'unpaid', badge: onHold, button: 'updatePayment' },
  heldRefunded: { use: 'refunded', badge: refunded, button: 'yourAccount' },
  heldDisputed: { use: 'disputed', badge: onHold },
  heldDisputeLost: { use: 'disputed', badge: ended, button: 'yourAccount' },
  heldPaused: { use: 'held', badge: onHold, button: 'yourAccount' },
  heldBySeller: { use: 'held', badge: onHold },
  heldUnknown: { use: 'held', badge: onHold },
  endedCanceled: { use: 'held', badge: ended, button: 'buyItAgain' },
  endedNotRenewed: { use: 'held', badge: ended, button: 'buyItAgain' },
  endedTakenBack: { use: 'held', badge: ended },
  endedRefunded: { use: 'refunded', badge: refunded, button: 'buyItAgain' },
  endedDisputeLost: { use: 'disputed', badge: ended, button: 'buyItAgain' },
};

/** Whether a license gives access. */
export function isUsable({ use }: Pick<LicenseState, 'use'>): boolean {
  return use === 'works' || use === 'late';
}

export function licenseState(
  { entitlement, why }: Pick<BuyersLicense, 'entitlement' | 'why'>,
  now: Date,
  words: Words,
): LicenseState {
  const { name, date } = stateSaid(entitlement, why, now);
  const look = looks[name];
  const [tone, word] = statusAt(entitlement, now) === 'trialing' ? looks.worksTrial.badge : look.badge;
  return {
    use: look.use,
    badge: badge(tone, words.plain(word)),
    says: words.of(name, date === null ? {} : { date: words.day(date) }),
    button: look.button ?? null,
  };
}
