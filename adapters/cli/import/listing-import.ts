import type { Command } from 'commander';
import type { ListingDraft } from '../../../core/catalog/administration/import-listings.ts';
import { listingRules, requiredOfListing } from '../../../core/catalog/administration/written-listing.ts';
import { cellsOf, csvRecords, type CsvRecord } from '../input/csv-records.ts';
import { readable, readJsonLines, readOne, type LineError, type ReadLine } from '../input/json-lines.ts';
import { formatOption, type FileFormat } from '../input/options.ts';
import { withoutApostrophe } from '../output/csv.ts';
import { BadLine } from '../shell/errors.ts';
import type { Shell } from '../shell/shell.ts';
import { importFile } from './import-command.ts';
import { checkColumns, readJsonLine, readRow, type LineForm } from './import-line.ts';

interface ImportOptions {
  readonly format?: FileFormat;
  readonly dryRun?: boolean;
}

export function addListingImport(group: Command, shell: Shell): void {
  group
    .command('import')
    .description('add listings or replace them by slug, and create the store if it does not exist')
    .argument('<file>', 'a file with one listing a line, or - for standard input')
    .addOption(formatOption('the format of the file (default: csv if its name ends with .csv, else ndjson)'))
    .option('--dry-run', 'report what the import would do, and change nothing')
    .action((path: string, { format = formatOf(path), dryRun = false }: ImportOptions, command: Command) =>
      importFile<ListingDraft>(shell, command, path, dryRun, {
        read: (content) =>
          format === 'csv'
            ? readCsvLines(content, checkListingColumns, listingOfRow)
            : readJsonLines(content, listingOfJson),
        begin: (store, isDry) => {
          const importAll = isDry ? store.dryRunOfListings() : store.importListings;
          return async (drafts, call) => (await importAll(drafts, call)).map(errorOf);
        },
        logged: (listings) => ({ command: 'listing import', listings }),
      }),
    );
}

function formatOf(path: string): FileFormat {
  return path.toLowerCase().endsWith('.csv') ? 'csv' : 'ndjson';
}

function errorOf(outcome: 'stored' | 'id taken'): LineError | null {
  return outcome === 'stored' ? null : { code: 'listing_exists', error: 'id must not be that of another listing.' };
}

export const listingLine: LineForm<ListingDraft> = { rules: listingRules, required: requiredOfListing };

/** The listing of a line that is a JSON object. Throws `BadLine`. */
function listingOfJson(text: string): ListingDraft {
  return readJsonLine(text, listingLine);
}

/** The listing of a row by column; an empty cell counts as left out. Throws `BadLine`. */
function listingOfRow(row: Readonly<Record<string, string>>): ListingDraft {
  const cells = Object.entries(row).filter(([name, cell]) => cell !== '' || name === 'blurb');
  return readRow(Object.fromEntries(cells), listingLine);
}

/** Throws `BadLine` if columns are misspelt. */
function checkListingColumns(columns: readonly string[]): void {
  checkColumns(columns, listingLine);
}

/**
 * Reads CSV whose first row names the columns, each row by the name of its columns; empty lines are skipped. Reads no row
 * if `checkNames` throws `BadLine` for the columns.
 */
async function* readCsvLines<Draft>(
  content: AsyncIterable<Uint8Array>,
  checkNames: (columns: readonly string[]) => void,
  draftOf: (row: Readonly<Record<string, string>>) => Draft,
): AsyncIterable<ReadLine<Draft>> {
  let columns: readonly string[] | null = null;
  for await (const record of csvRecords(content)) {
    if (record.text === '') continue;
    if (columns !== null) {
      const names = columns;
      yield readRecord(record, (cells) => draftOf(rowOf(names, cells)));
      continue;
    }
    const header = readRecord(record, (cells) => {
      checkNames(cells);
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
  const { firstLine, lastLine, text, isOpen } = record;
  const result = readOne(firstLine, () => {
    if (isOpen) throw new BadLine('A quote that opens a cell must be closed.');
    return read(cellsOf(readable(text)).map(withoutApostrophe));
  });
  if (result.kind === 'draft' || firstLine === lastLine) return result;
  return { ...result, error: `${result.error} The row ends on line ${lastLine}.` };
}

function rowOf(columns: readonly string[], cells: readonly string[]): Readonly<Record<string, string>> {
  if (cells.length !== columns.length) throw new BadLine('The line must have as many cells as the first line.');
  return Object.fromEntries(columns.map((name, position) => [name, cells[position] ?? '']));
}
