import type { CompensationFilter, ListingSort } from '../../../core/catalog/listing-query.ts';
import type { CompensationType, Listing } from '../../../core/catalog/listing.ts';
import type { CommissionFor } from '../../../core/catalog/page-members.ts';
import { countOf } from '../markup/figures.ts';

export const sortTexts: Readonly<Record<ListingSort, string>> = {
  charts: 'Most storefronts',
  new: 'Newest',
  reward: 'Highest reward',
};

const compensationTexts: Readonly<Record<CompensationType, string>> = {
  commission: 'Commission',
  upfront: 'Upfront payment',
  both: 'Upfront payment and commission',
};

export const compensationFilterTexts: Readonly<Record<CompensationFilter, string>> = {
  all: 'Any compensation',
  ...compensationTexts,
};

/** The time for which a maker pays, on the page of a listing. */
export function paidForText(time: CommissionFor): string {
  switch (time) {
    case 'first_payment':
      return 'The first payment only';
    case 'lifetime':
      return 'As long as they pay';
    default:
      return countOf(time, 'month');
  }
}

/** For how long a maker pays, behind the reward on a card; null if the listing does not say it. */
export function howLongText({
  commissionFor,
  compensationType,
}: Pick<Listing, 'commissionFor' | 'compensationType'>): string | null {
  switch (commissionFor) {
    case null:
      return compensationType === 'upfront' ? 'once' : null;
    case 'first_payment':
      return 'first payment';
    case 'lifetime':
      return 'for as long as they pay';
    default:
      return `for ${countOf(commissionFor, 'month')}`;
  }
}

/** The time after a visit for which a sale is counted. */
export function cookieText(days: number): string {
  return days === 0 ? 'The same visit' : countOf(days, 'day');
}

/** The beginning of a text, at most `length` characters, cut between words where that is near. */
export function beginningOf(text: string, length: number): string {
  if (text.length <= length) return text;
  const characters = [...text];
  if (characters.length <= length) return text;
  const cut = characters.slice(0, length - 1).join('');
  const space = cut.lastIndexOf(' ');
  return `${space > cut.length * 0.7 ? cut.slice(0, space) : cut}…`;
}
