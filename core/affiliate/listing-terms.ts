import type { Listing } from '../catalog/listing.ts';
import { numberThat } from '../parsing/value-rule.ts';
import type { Terms } from './sale/terms.ts';

/** The terms that a listing offers. Null members where it says nothing. */
export function termsOfListing(listing: Listing): Omit<Terms, 'commissionFor'> & Pick<Listing, 'commissionFor'> {
  const { commissionPercent, commissionFor, holdDays } = listing;
  // 29.99 × 100 is a little less than 2999.
  const hundredths = Math.floor(Number((commissionPercent * 100).toFixed(6)));
  return { commissionPercent: hundredths, commissionFor, holdDays };
}

/** The rule for the percentage of a promotion, as people write it. */
export const percentRule = numberThat(
  (value) => value >= 0 && value <= 100 && /^\d+(?:\.\d{1,2})?$/.test(String(value)),
  'must be a number from 0 to 100 with at most two decimals',
);

/** The hundredths of a percentage of that rule. */
export function hundredthsOf(percent: number): number {
  return Math.round(percent * 100);
}
