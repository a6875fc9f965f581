import type { Command } from 'commander';
import { dashArgument, valueOf } from '../input/options.ts';
import { WrongArgument } from '../shell/errors.ts';
import type { OpenAdministration, Shell } from '../shell/shell.ts';
import { runCommand, withStore, type ChangeRequest, type Subject } from './run-command.ts';

export interface ChangeCommand<Options> {
  /** Null for a command that adds something, whose id is an option. */
  readonly subject: Subject | null;
  readonly request: ChangeRequest<Options>;
  /** Completes the options of a command line from standard input, which a batch reads its lines from. */
  readonly complete?: (options: Options) => Promise<Options>;
  /** Whether to create the store if it does not exist. */
  readonly create?: true;
}

const batchHelp = '- to read one change a line from standard input, as JSON with the options in camelCase';

/**
 * Makes a command out of declared options and one change. With `-` instead of the subject, the command runs in batch mode:
 * it makes one change for each line of standard input, in one process.
 */
export function changeCommand<Options extends object>(
  command: Command,
  shell: Shell,
  how: ChangeCommand<Options>,
): void {
  const { subject, request, complete = async (options) => options, create = false } = how;
  const required = command.options.filter(({ mandatory }) => mandatory);
  // A batch line may give what the command line does not.
  for (const option of required) option.makeOptionMandatory(false);
  if (subject === null) {
    command.addArgument(dashArgument('[-]', batchHelp, `The argument of ${command.name()} must be "-".`));
  } else {
    const { argument, member, rule } = subject;
    const parse = (text: string): string => (text === '-' ? text : valueOf(text, { flag: argument, member }, rule));
    command.argument(argument, `${subject.description}, or ${batchHelp}`, parse);
  }
  command.action(async (argument: string | undefined, typed: Options) => {
    if (argument === '-') {
      const { runBatch } = await import('./batch.ts');
      const batch = { command, required, subject, request };
      const work = (store: OpenAdministration): Promise<void> => runBatch(shell, store, batch);
      await withStore(shell, command, shell.newCall(), work, { create });
      return;
    }
    const missing = required.find((option) => Reflect.get(typed, option.attributeName()) === undefined);
    if (missing !== undefined) throw new WrongArgument(`Required option '${missing.flags}' not specified.`);
    const options = await complete(typed);
    const call = shell.newCall();
    await runCommand(shell, command, call, request(argument ?? '', options, call), { create });
  });
}
