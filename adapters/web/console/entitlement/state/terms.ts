import type { BillingTerm } from '../../../../../core/entitlement/entitlement.ts';
import type { Snapshot } from '../../../../../core/entitlement/snapshot.ts';
import { html, type Html } from '../../../markup/html.ts';
import { written } from '../../display/parts.ts';

const terms: Readonly<Record<BillingTerm, string>> = {
  day: 'daily',
  week: 'weekly',
  month: 'monthly',
  year: 'yearly',
  one_time: 'bought once',
};

/** "monthly". */
export function termText(term: BillingTerm): string {
  return terms[term];
}

/** "Pro, monthly", "Studio" for a purchase. */
export function tierText({ tierName, billingInterval }: Pick<Snapshot, 'tierName' | 'billingInterval'>): string {
  return billingInterval === 'one_time' ? tierName : `${tierName}, ${termText(billingInterval)}`;
}

/** The same, with the name of the tier in the direction of its own letters. */
export function tierElement({ tierName, billingInterval }: Pick<Snapshot, 'tierName' | 'billingInterval'>): Html {
  return html`${written(tierName)}${billingInterval === 'one_time' ? '' : `, ${termText(billingInterval)}`}`;
}
