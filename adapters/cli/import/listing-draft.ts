import type { ListingDraft } from '../../../core/catalog/administration/import-listings.ts';
import { listingRules, requiredOfListing } from '../../../core/catalog/administration/written-listing.ts';
import { checkColumns, readJsonLine, readRow, type LineForm } from './import-line.ts';

export const listingLine: LineForm<ListingDraft> = { rules: listingRules, required: requiredOfListing };

/** The listing of a line that is a JSON object. Throws `BadLine`. */
export function listingOfJson(text: string): ListingDraft {
  return readJsonLine(text, listingLine);
}

/** The listing of a row by column; an empty cell counts as left out. Throws `BadLine`. */
export function listingOfRow(row: Readonly<Record<string, string>>): ListingDraft {
  const cells = Object.entries(row).filter(([name, cell]) => cell !== '' || name === 'blurb');
  return readRow(Object.fromEntries(cells), listingLine);
}

/** Throws `BadLine` if columns are misspelt. */
export function checkListingColumns(columns: readonly string[]): void {
  checkColumns(columns, listingLine);
}
