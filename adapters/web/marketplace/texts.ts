import type { CompensationFilter, ListingSort } from '../../../core/catalog/listing-query.ts';
import type { CompensationType } from '../../../core/catalog/listing.ts';

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

/** The beginning of a text, at most `length` characters, cut between words where that is near. */
export function beginningOf(text: string, length: number): string {
  if (text.length <= length) return text;
  const characters = [...text];
  if (characters.length <= length) return text;
  const cut = characters.slice(0, length - 1).join('');
  const space = cut.lastIndexOf(' ');
  return `${space > cut.length * 0.7 ? cut.slice(0, space) : cut}…`;
}
