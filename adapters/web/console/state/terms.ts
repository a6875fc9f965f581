import type { BillingTerm } from '../../../../core/entitlement/entitlement.ts';
import type { Snapshot } from '../../../../core/entitlement/snapshot.ts';
import { countOf, numberText } from '../../markup/figures.ts';
import { html, type Html } from '../../markup/html.ts';
import { written } from '../display/parts.ts';

const termTexts: Readonly<Record<BillingTerm, string>> = {
  day: 'daily',
  week: 'weekly',
  month: 'monthly',
  year: 'yearly',
  one_time: 'bought once',
};

/** The terms by which a subscription renews. */
export type Terms = Pick<Snapshot, 'billingInterval' | 'billingIntervalCount'>;

/** "monthly", or "every 3 months". */
export function termText(term: BillingTerm, count = 1): string {
  return count === 1 ? termTexts[term] : `every ${count} ${term}s`;
}

export function termsText({ billingInterval, billingIntervalCount }: Terms): string {
  return termText(billingInterval, billingIntervalCount);
}

type Tier = Terms & Pick<Snapshot, 'tierName'>;

/** "Pro, monthly", "Studio" for a purchase. */
export function tierText({ tierName, ...often }: Tier): string {
  return often.billingInterval === 'one_time' ? tierName : `${tierName}, ${termsText(often)}`;
}

/** The same, with the name of the tier in the direction of its own letters. */
export function tierElement({ tierName, ...often }: Tier): Html {
  return html`${written(tierName)}${often.billingInterval === 'one_time' ? '' : `, ${termsText(often)}`}`;
}

/** "2 of 3 devices", "2 devices" without a limit. */
export function devicesText({ deviceLimit, devicesUsed }: Pick<Snapshot, 'deviceLimit' | 'devicesUsed'>): string {
  if (deviceLimit === null) return devicesUsed === 0 ? 'Any number of devices' : countOf(devicesUsed, 'device');
  return `${numberText(devicesUsed)} of ${countOf(deviceLimit, 'device')}`;
}

/** "3", or "unlimited". */
export function limitText(deviceLimit: number | null): string {
  return deviceLimit === null ? 'unlimited' : numberText(deviceLimit);
}
