import type { Command } from 'commander';
import { entryMembers } from '../../administration/commands/waitlist-commands.ts';
import type { Shell } from '../shell/shell.ts';
import { addExportCommand } from './export-command.ts';

export function addWaitlistCommands(group: Command, shell: Shell): void {
  addExportCommand(group, shell, {
    description: 'write all entries to standard output',
    columns: entryMembers,
    defaultFormat: 'csv',
    list: (store, newCall) => store.everySignUp(newCall),
  });
}
