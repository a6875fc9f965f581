import type { Command } from 'commander';
import type { NewCall } from '../../../core/call.ts';
import type { SignUp } from '../../../core/waitlist/sign-up.ts';
import { withStore } from '../run/run-command.ts';
import type { Administration } from '../../../core/administration/administration.ts';
import { emailAddress } from '../input/arguments.ts';
import { changeCommand } from '../run/change-command.ts';
import { csvLine } from '../output/csv.ts';
import { exportFormat, formatOption } from './export-format.ts';
import type { FileFormat } from '../import/listing-file.ts';
import { printPieces } from '../output/output.ts';
import type { Shell } from '../shell/shell.ts';

const columns = ['email', 'name', 'handle', 'role', 'at'] as const satisfies readonly (keyof SignUp)[];

export function addWaitlistCommands(program: Command, shell: Shell): void {
  const group = program.command('waitlist').description('the waitlist: who has signed up');

  group
    .command('export')
    .description('write all entries to standard output')
    .addOption(formatOption('of the output (default: csv, with --json ndjson)'))
    .action((_options: object, command: Command) => {
      const format = exportFormat(command, 'csv');
      const pieces = (store: Administration): AsyncIterable<string> => exported(store, format, shell.newCall);
      return withStore(shell, command, shell.newCall(), (store) => printPieces(pieces(store), shell));
    });

  changeCommand(group.command('erase').description('remove the entry of an e-mail address'), shell, {
    subject: {
      member: 'email',
      argument: '<email>',
      description: 'in any case',
      parse: emailAddress('The e-mail address'),
    },
    request: (email, _options, call) => async (store) => {
      const erased = await store.eraseFromWaitlist(email, call);
      return {
        json: { value: { erased } },
        text: () => (erased === 1 ? 'Erased.\n' : 'There is no such entry.\n'),
        change: erased === 0 ? null : { command: 'waitlist erase', entries: erased },
      };
    },
  });
}

async function* exported(store: Administration, format: FileFormat, newCall: NewCall): AsyncIterable<string> {
  if (format === 'csv') yield csvLine(columns);
  for await (const signUp of store.listWaitlist(newCall)) {
    yield format === 'csv'
      ? csvLine(columns.map((column) => signUp[column]))
      : `${JSON.stringify(signUp, [...columns])}\n`;
  }
}
