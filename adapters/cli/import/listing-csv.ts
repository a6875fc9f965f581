import type { ImportedListing, ListingDraft } from '../../../core/catalog/administration/import-listings.ts';
import { listingRules, requiredOfListing } from '../../../core/catalog/administration/written-listing.ts';
import { withoutApostrophe } from '../../../core/csv-line.ts';
import { cellsOf, csvRecords, isBlank, isEmptyRow, type CsvRecord } from '../input/csv-records.ts';
import { readable, readOne, type LineError, type ReadLine } from '../input/json-lines.ts';
import { BadLine } from '../shell/errors.ts';
import { checkColumns, readRow, type LineForm } from './import-line.ts';

const errors: Readonly<Record<Exclude<ImportedListing & string, 'stored'>, LineError>> = {
  'id taken': { code: 'listing_exists', error: 'id must not be that of another listing.' },
  'product not found': { code: 'product_not_found', error: 'productId must be the id of a product.' },
  limited: { code: 'limited_key', error: 'productId must be one of the products of the key.' },
};

/** The mistake of a listing that was not stored; null if it was. */
export function errorOf(outcome: ImportedListing): LineError | null {
  if (outcome === 'stored') return null;
  if (typeof outcome === 'string') return errors[outcome];
  return { code: 'invalid_line', error: outcome.map(({ member, problem }) => `${member} ${problem}.`).join(' ') };
}

/** Columns that a CSV may have. Listings have some dozens, and the names of ten thousands take too long to compare. */
const maxColumns = 1000;

export const listingLine: LineForm<ListingDraft> = { rules: listingRules, required: requiredOfListing };

/** The listing of a row by column; an empty cell counts as left out. Throws `BadLine`. */
function listingOfRow(row: Readonly<Record<string, string>>): ListingDraft {
  const cells = Object.entries(row).filter(([name, cell]) => cell !== '' || name === 'blurb');
  return readRow(Object.fromEntries(cells), listingLine);
}

/**
 * Reads the listings of CSV whose first row names the columns, each row by the name of its columns; rows that hold
 * nothing are skipped. Reads no row if columns are misspelt, or if none is known.
 */
export async function* readListingCsv(content: AsyncIterable<Uint8Array>): AsyncIterable<ReadLine<ListingDraft>> {
  let columns: readonly string[] | null = null;
  for await (const record of csvRecords(content)) {
    if (isEmptyRow(record)) continue;
    if (columns !== null) {
      const names = columns;
      yield readRecord(record, (cells) => listingOfRow(rowOf(names, cells)));
      continue;
    }
    const header = readRecord(record, (cells) => {
      if (cells.length > maxColumns) throw new BadLine(`The first line must have at most ${maxColumns} cells.`);
      checkColumns(cells, listingLine);
      return cells;
    });
    if (header.kind === 'bad') {
      yield header;
      return;
    }
    columns = header.draft;
  }
}

/** Reads the cells of a record. A mistake in a record of several lines names the last line too. */
function readRecord<Draft>(record: CsvRecord, read: (cells: readonly string[]) => Draft): ReadLine<Draft> {
  const { firstLine, lastLine, text, isOpen, separator } = record;
  const result = readOne(firstLine, () => {
    if (isOpen) throw new BadLine('A quote that opens a cell must be closed.');
    return read(cellsOf(readable(text), separator).map(withoutApostrophe));
  });
  if (result.kind === 'draft' || firstLine === lastLine) return result;
  return { ...result, error: `${result.error} The row ends on line ${lastLine}.` };
}

function rowOf(columns: readonly string[], cells: readonly string[]): Readonly<Record<string, string>> {
  // Spreadsheets write empty cells behind the last column.
  if (cells.length < columns.length || !cells.slice(columns.length).every(isBlank)) {
    throw new BadLine('The line must have as many cells as the first line.');
  }
  return Object.fromEntries(columns.map((name, position) => [name, cells[position] ?? '']));
}
