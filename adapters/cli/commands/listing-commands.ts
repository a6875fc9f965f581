import type { Command } from 'commander';
import type { NewCall } from '../../../core/call.ts';
import type { ListingDraft } from '../../../core/catalog/import-listings.ts';
import type { Listing } from '../../../core/catalog/listing.ts';
import { administer, withStore } from '../run/run-command.ts';
import type { Administration } from '../../../core/administration/administration.ts';
import { identifier } from '../input/arguments.ts';
import { changeCommand } from '../run/change-command.ts';
import { csvLine } from '../output/csv.ts';
import { exportFormat, formatOption } from './export-format.ts';
import { importFile } from '../import/import-command.ts';
import { readListings, type FileFormat } from '../import/listing-file.ts';
import { printPieces } from '../output/output.ts';
import type { Shell } from '../shell/shell.ts';
import { table } from '../output/table.ts';

interface ImportOptions {
  readonly format?: FileFormat;
  readonly dryRun?: true;
}

/** The columns of an export, which an import takes. */
const columns = [
  'id',
  'slug',
  'name',
  'blurb',
  'category',
  'commissionPercent',
  'compensationType',
  'compensationLabel',
  'featured',
  'storefrontCount',
  'state',
  'publishedAt',
  'upfrontCents',
] as const satisfies readonly (keyof Listing)[];

const slugOf = identifier('The slug of the listing');

const shown = ['slug', 'name', 'category', 'state'] as const;

export function addListingCommands(program: Command, shell: Shell): void {
  const group = program.command('listing').description('listings: the public catalog');

  group
    .command('import')
    .description('add or replace listings by their slugs, and create the store if there is none')
    .argument('<file>', 'one listing a line; "-" for standard input')
    .addOption(formatOption('of the file (default: by its ending, else ndjson)'))
    .option('--dry-run', 'say what an import would, and change nothing')
    .action(importAction(shell));

  group
    .command('export')
    .description('write all listings to standard output, in a form that import takes')
    .addOption(formatOption('of the output (default: ndjson)'))
    .action((_options: object, command: Command) => {
      const format = exportFormat(command, 'ndjson');
      const pieces = (store: Administration): AsyncIterable<string> => exported(store, format, shell.newCall);
      return withStore(shell, command, shell.newCall(), (store) => printPieces(pieces(store), shell));
    });

  group
    .command('list')
    .description('list all listings, whatever their state')
    .action((_options: object, command: Command) => {
      const call = shell.newCall();
      return administer(shell, command, call, async (store) => {
        const items: Listing[] = [];
        for await (const listing of store.listListings(shell.newCall)) items.push(listing);
        return { json: { items }, text: (width) => table(items, shown, width, ['name', 'category']), change: null };
      });
    });

  const states = [
    ['pause', 'take a listing out of the public catalog', 'pauseListing', 'paused'],
    ['publish', 'show a listing in the public catalog', 'publishListing', 'live'],
  ] as const;
  for (const [name, description, change, state] of states) {
    changeCommand(group.command(name).description(description), shell, {
      subject: { member: 'slug', argument: '<slug>', description: 'of the listing', parse: slugOf },
      request: (slug, _options, call) => async (store) => {
        const outcome = await store[change](slug, call);
        return {
          json: { value: { slug, state } },
          text: () => `The listing is ${state}.\n`,
          change: outcome === 'changed' ? { command: `listing ${name}`, slug } : null,
        };
      },
    });
  }
}

function importAction(shell: Shell): (path: string, options: ImportOptions, command: Command) => Promise<void> {
  return (path, { format = formatOf(path), dryRun = false }, command) =>
    importFile<ListingDraft>(shell, command, path, dryRun, {
      read: (content) => readListings(content, format),
      begin: (store, isDry) => {
        const importAll = isDry ? store.dryRunOfListings() : store.importListings;
        return async (drafts, call) => (await importAll(drafts, call)).map(sentenceOf);
      },
      change: (listings) => ({ command: 'listing import', listings }),
    });
}

function sentenceOf(outcome: 'stored' | 'id taken'): string | null {
  return outcome === 'stored' ? null : 'id must not be that of another listing.';
}

function formatOf(path: string): FileFormat {
  return path.toLowerCase().endsWith('.csv') ? 'csv' : 'ndjson';
}

async function* exported(store: Administration, format: FileFormat, newCall: NewCall): AsyncIterable<string> {
  if (format === 'csv') yield csvLine(columns);
  for await (const listing of store.listListings(newCall)) {
    yield format === 'csv'
      ? csvLine(columns.map((column) => listing[column]))
      : `${JSON.stringify(listing, [...columns])}\n`;
  }
}
