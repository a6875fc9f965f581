import type { Command } from 'commander';
import { listingMembers } from '../../administration/commands/listing-commands.ts';
import { addListingImport } from '../import/listing-import.ts';
import type { Shell } from '../shell/shell.ts';
import { addExportCommand } from './export-command.ts';

export function addListingCommands(group: Command, shell: Shell): void {
  addListingImport(group, shell);
  addExportCommand(group, shell, {
    description: 'write all listings to standard output, in a form that import takes',
    columns: listingMembers,
    defaultFormat: 'ndjson',
    list: (store, newCall) => store.everyListing({ state: null, search: null, category: null }, newCall),
  });
}
