import { Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import type { ListingDraft } from '../../../core/catalog/import-listings.ts';
import { withFormulas } from '../output/csv.ts';

import type { FileFormat } from '../input/file-format.ts';
import { readJsonLines, readOne, type ReadLine } from '../input/json-lines.ts';
import { maxLineLength, unreadable } from '../input/lines.ts';
import { BadLine } from '../shell/errors.ts';
import { listingOfJson, listingOfRow } from './listing-draft.ts';

/** The listings of a file one at a time, each with the number of the line on which it begins; blank lines are left out. */
export function readListings(
  content: AsyncIterable<Uint8Array>,
  format: FileFormat,
): AsyncIterable<ReadLine<ListingDraft>> {
  return format === 'csv' ? readCsv(content) : readJsonLines(content, listingOfJson);
}

async function* readCsv(content: AsyncIterable<Uint8Array>): AsyncIterable<ReadLine<ListingDraft>> {
  const skipped: ReadLine<ListingDraft>[] = [];
  const rows = Readable.from(content).pipe(
    parse({
      bom: true,
      columns: true,
      info: true,
      raw: true,
      relax_quotes: true,
      skip_empty_lines: true,
      skip_records_with_error: true,
      max_record_size: maxLineLength,
    }),
  );
  rows.on('skip', (error: CsvError) => skipped.push(badRow(error)));
  try {
    for await (const { info, raw, record } of rows as AsyncIterable<CsvRow>) {
      yield* skipped.splice(0);
      yield readOne(firstLine(info.lines, raw), () => listingOfRow(cellsOf(record)));
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    skipped.push(badRow(error));
  }
  yield* skipped;
}

interface CsvRow {
  readonly info: { readonly lines: number };
  readonly raw: string;
  readonly record: Readonly<Record<string, string>>;
}

/** The line on which a row begins that ends on `last`: a quoted cell may hold line feeds. */
function firstLine(last: number, raw: string): number {
  return last - (raw.trim().split('\n').length - 1);
}

/** The parser puts a replacement character in the place of bytes that are no UTF-8. */
function cellsOf(record: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const cells = Object.entries(record);
  if (cells.some(([, cell]) => cell.includes('\u{FFFD}'))) throw new BadLine(unreadable);
  return Object.fromEntries(cells.map(([name, cell]) => [name, withFormulas(cell)]));
}

function badRow(error: CsvError): ReadLine<ListingDraft> {
  const lines: unknown = error['lines'];
  const line = typeof lines === 'number' ? lines : 0;
  const wrong = new Map([
    ['CSV_RECORD_INCONSISTENT_COLUMNS', 'The line must have as many cells as the first line.'],
    ['CSV_RECORD_INCONSISTENT_FIELDS_LENGTH', 'The line must have as many cells as the first line.'],
    ['CSV_QUOTE_NOT_CLOSED', 'A quote that opens a cell must be closed.'],
    ['CSV_MAX_RECORD_SIZE', unreadable],
  ]).get(error.code);
  return { kind: 'bad', line, error: wrong ?? 'The line must be CSV (RFC 4180).' };
}
