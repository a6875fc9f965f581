import { Option, type Command } from 'commander';
import type { Call } from '../../core/call.ts';
import type { SignUp } from '../../core/waitlist/sign-up.ts';
import { administer, withStore, type CommonOptions } from './administer.ts';
import type { Administration } from './administration.ts';
import { oneOf } from './arguments.ts';
import { csvLine } from './csv.ts';
import { fileFormats, type FileFormat } from './listing-file.ts';
import { printPieces } from './output.ts';
import type { Shell } from './shell.ts';

const columns = ['email', 'name', 'handle', 'role', 'at'] as const satisfies readonly (keyof SignUp)[];

export function addWaitlistCommands(program: Command, shell: Shell): void {
  const group = program.command('waitlist').description('the waitlist: who has signed up');

  group
    .command('export')
    .description('write all entries to standard output')
    .addOption(
      new Option('--format <format>', 'of the output (default: csv, with --json ndjson)').argParser(
        oneOf('--format', fileFormats),
      ),
    )
    .action((options: { readonly format?: FileFormat }, command: Command) => {
      const { json = false } = command.optsWithGlobals<CommonOptions>();
      const format = options.format ?? (json ? 'ndjson' : 'csv');
      const call = shell.newCall();
      return withStore(shell, command, call, (store) => printPieces(exported(store, format, call), shell));
    });

  group
    .command('erase')
    .description('remove the entry of an e-mail address')
    .argument('<email>', 'in any case')
    .action((email: string, _options: object, command: Command) => {
      const call = shell.newCall();
      return administer(shell, command, call, async (store) => {
        const erased = await store.eraseFromWaitlist(email, call);
        return {
          json: { value: { erased } },
          text: () => (erased === 1 ? 'Erased.\n' : 'There is no such entry.\n'),
          change: erased === 0 ? null : { command: 'waitlist erase', entries: erased },
        };
      });
    });
}

async function* exported(store: Administration, format: FileFormat, call: Call): AsyncIterable<string> {
  if (format === 'csv') yield csvLine(columns);
  for await (const signUp of store.listWaitlist(call)) {
    yield format === 'csv'
      ? csvLine(columns.map((column) => signUp[column]))
      : `${JSON.stringify(signUp, [...columns])}\n`;
  }
}
