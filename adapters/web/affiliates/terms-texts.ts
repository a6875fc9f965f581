import { termsOfListing } from '../../../core/affiliate/listing-terms.ts';
import type { Terms } from '../../../core/affiliate/sale/terms.ts';
import type { Listing } from '../../../core/catalog/listing.ts';
import { countOf } from '../markup/figures.ts';

/** The commission, in short: "30% for 12 months". */
export function shortTermsText({ commissionPercent, commissionFor }: Omit<Terms, 'holdDays'>): string {
  const percent = `${commissionPercent / 100}%`;
  if (commissionFor === 'first_payment') return `${percent} of the first payment`;
  return `${percent} ${commissionFor === 'lifetime' ? 'as long as they pay' : `for ${countOf(commissionFor, 'month')}`}`;
}

/** The commission, in full: "30% of each payment for 12 months, after a hold of 30 days". */
export function termsText(terms: Terms): string {
  const short = shortTermsText(terms);
  const of = terms.commissionFor === 'first_payment' ? short : short.replace('% ', '% of each payment ');
  return terms.holdDays === 0 ? of : `${of}, after a hold of ${countOf(terms.holdDays, 'day')}`;
}

/** The terms that a listing offers; null where they do not say how long commission is paid. */
export function offeredTerms(listing: Listing): Terms | null {
  const { commissionFor, ...terms } = termsOfListing(listing);
  return commissionFor === null ? null : { ...terms, commissionFor };
}
