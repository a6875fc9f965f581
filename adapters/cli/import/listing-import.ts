import type { Command } from 'commander';
import type { ListingDraft } from '../../../core/catalog/administration/import-listings.ts';
import { readJsonLines } from '../input/json-lines.ts';
import { formatOption, type FileFormat } from '../input/options.ts';
import type { Shell } from '../shell/shell.ts';
import { importFile } from './import-command.ts';
import { readJsonLine } from './import-line.ts';
import { errorOf, listingLine, readListingCsv } from './listing-csv.ts';

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
        read: (content) => (format === 'csv' ? readListingCsv(content) : readJsonLines(content, listingOfJson)),
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

/** The listing of a line that is a JSON object. Throws `BadLine`. */
function listingOfJson(text: string): ListingDraft {
  return readJsonLine(text, listingLine);
}
