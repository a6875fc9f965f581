import { Option, type Command } from 'commander';
import type { Call } from '../../core/call.ts';
import type { Listing } from '../../core/catalog/listing.ts';
import { administer, withStore } from './administer.ts';
import type { Administration } from './administration.ts';
import { identifier, oneOf } from './arguments.ts';
import { changing } from './changing.ts';
import { csvLine } from './csv.ts';
import { runImport, withProgress } from './import-run.ts';
import { Incomplete } from './incomplete.ts';
import { fileFormats, readListings, type FileFormat } from './listing-file.ts';
import { print, printPieces } from './output.ts';
import type { Shell } from './shell.ts';
import { table } from './table.ts';

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
    .option('--dry-run', 'only check the lines')
    .action(importAction(shell));

  group
    .command('export')
    .description('write all listings to standard output, in a form that import takes')
    .addOption(formatOption('of the output').default('ndjson'))
    .action(({ format }: { readonly format: FileFormat }, command: Command) => {
      const call = shell.newCall();
      return withStore(shell, command, call, (store) => printPieces(exported(store, format, call), shell));
    });

  group
    .command('list')
    .description('list all listings, whatever their state')
    .action((_options: object, command: Command) => {
      const call = shell.newCall();
      return administer(shell, command, call, async (store) => {
        const items: Listing[] = [];
        for await (const listing of store.listListings(call)) items.push(listing);
        return { json: { items }, text: (width) => table(items, shown, width, ['name', 'category']), change: null };
      });
    });

  const states = [
    ['pause', 'take a listing out of the public catalog', 'pauseListing', 'paused'],
    ['publish', 'show a listing in the public catalog', 'publishListing', 'live'],
  ] as const;
  for (const [name, description, change, state] of states) {
    changing(group.command(name).description(description), shell, {
      subject: { member: 'slug', argument: '<slug>', description: 'of the listing', parse: slugOf },
      request: (slug, _options, call) => async (store) => {
        await store[change](slug, call);
        return {
          json: { value: { slug, state } },
          text: () => `The listing is ${state}.\n`,
          change: { command: `listing ${name}`, slug },
        };
      },
    });
  }
}

function importAction(shell: Shell): (path: string, options: ImportOptions, command: Command) => Promise<void> {
  return async (path, { format = formatOf(path), dryRun }, command) => {
    const file = path === '-' ? { size: null, content: shell.stdin } : await shell.openFile(path);
    const lines = readListings(withProgress(file, shell), format);
    const call = shell.newCall();
    const result =
      dryRun === true
        ? await runImport(lines, async (drafts) => drafts.map(() => 'stored'))
        : await withStore(
            shell,
            command,
            call,
            (store) =>
              runImport(lines, (drafts) => store.importListings(drafts, { ...shell.newCall(), now: call.now })),
            { create: true },
          );
    const { imported, failed, errors } = result;
    const text = (): string =>
      [
        ...errors.map(({ line, error }) => `Line ${line}: ${error}`),
        `${dryRun === true ? 'Good' : 'Imported'}: ${imported}. Bad: ${failed}.\n`,
      ].join('\n');
    if (dryRun !== true) shell.log({ command: 'listing import', listings: imported });
    const { json = false } = command.optsWithGlobals<{ readonly json?: boolean }>();
    await print({ json: { value: result }, text }, json, shell);
    if (failed > 0) throw new Incomplete(`${failed} of ${imported + failed} lines were bad.`);
  };
}

function formatOption(description: string): Option {
  return new Option('--format <format>', description).argParser(oneOf('--format', fileFormats));
}

function formatOf(path: string): FileFormat {
  return path.toLowerCase().endsWith('.csv') ? 'csv' : 'ndjson';
}

async function* exported(store: Administration, format: FileFormat, call: Call): AsyncIterable<string> {
  if (format === 'csv') yield csvLine(columns);
  for await (const listing of store.listListings(call)) {
    yield format === 'csv'
      ? csvLine(columns.map((column) => listing[column]))
      : `${JSON.stringify(listing, [...columns])}\n`;
  }
}
