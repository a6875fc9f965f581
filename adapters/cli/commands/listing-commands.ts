import type { Command } from 'commander';
import type { Listing } from '../../../core/catalog/listing.ts';
import { identifierRule } from '../../../core/identifier.ts';
import { addListingImport } from '../import/listing-import.ts';
import { changeCommand } from '../run/change-command.ts';
import { listResult, runCommand, type Subject } from '../run/run-command.ts';
import type { Shell } from '../shell/shell.ts';
import { addExportCommand } from './export-command.ts';

const listingBySlug: Subject = {
  member: 'slug',
  argument: '<slug>',
  description: 'the slug of the listing',
  rule: identifierRule,
};

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
  'url',
  'imageUrl',
] as const satisfies readonly (keyof Listing)[];

const listed = ['slug', 'name', 'category', 'state'] as const satisfies readonly (keyof Listing)[];

export function addListingCommands(group: Command, shell: Shell): void {
  addListingImport(group, shell);
  addExportCommand(group, shell, {
    description: 'write all listings to standard output, in a form that import takes',
    columns,
    defaultFormat: 'ndjson',
    list: (store, newCall) => store.everyListing(newCall),
  });
  addList(group, shell);
  addStateCommand(group, shell, 'pause', 'take a listing out of the public catalog');
  addStateCommand(group, shell, 'publish', 'show a listing in the public catalog');
  addDelete(group, shell);
}

function addList(group: Command, shell: Shell): void {
  group
    .command('list')
    .description('list all listings in every state')
    .action((_options: object, command: Command) =>
      runCommand(shell, command, shell.newCall(), async (store) =>
        listResult(await Array.fromAsync(store.everyListing(shell.newCall)), listed, ['name', 'category']),
      ),
    );
}

const changes = {
  pause: ['pauseListing', 'paused'],
  publish: ['publishListing', 'live'],
} as const;

function addStateCommand(group: Command, shell: Shell, name: keyof typeof changes, description: string): void {
  const [change, state] = changes[name];
  changeCommand(group.command(name).description(description), shell, {
    subject: listingBySlug,
    request: (slug, _options, call) => async (store) => {
      await store[change](slug, call);
      return {
        json: { value: { slug, state } },
        text: () => `The listing is ${state}.\n`,
      };
    },
  });
}

function addDelete(group: Command, shell: Shell): void {
  changeCommand(group.command('delete').description('delete a listing for good'), shell, {
    subject: listingBySlug,
    request: (slug, _options, call) => async (store) => {
      const deleted = await store.deleteListing(slug, call);
      return {
        json: { value: { deleted } },
        text: () => (deleted === 1 ? 'Deleted.\n' : 'There is no such listing.\n'),
      };
    },
  });
}
