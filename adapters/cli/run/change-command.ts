import type { Command } from 'commander';
import { dashArgument, valueArgument, valueOf } from '../input/options.ts';
import { WrongArgument } from '../shell/errors.ts';
import type { OpenAdministration, Shell } from '../shell/shell.ts';
import { runCommand, withStore, type ChangeRequest, type StoreUse, type Subject } from './run-command.ts';

export interface ChangeCommand<Options> {
  /** Null for a command that adds something, whose id is an option. */
  readonly subject: Subject | null;
  /** Further arguments, whose values are among the options. */
  readonly others?: readonly Subject[];
  readonly request: ChangeRequest<Options>;
  /** Completes the options of a command line from standard input, which a batch reads its lines from. */
  readonly complete?: (options: Options) => Promise<Options>;
  readonly use?: StoreUse;
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
  const { subject, others = [], request, complete = async (options) => options, use } = how;
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
  for (const { argument, description, rule } of others) {
    command.addArgument(valueArgument(argument, description, rule).argOptional());
  }
  command.action(async (...parameters: readonly unknown[]) => {
    const argument = parameters[0] as string | undefined;
    const typed = parameters[others.length + 1] as Options;
    const more = others.map(({ member }, index) => [member, parameters[index + 1]] as const);
    if (argument === '-') {
      if (more.some(([, value]) => value !== undefined)) throw new WrongArgument('Nothing can follow "-".');
      const { runBatch } = await import('./batch.ts');
      const batch = { command, required, subject, others, request };
      const work = (store: OpenAdministration): Promise<void> => runBatch(shell, store, batch);
      await withStore(shell, command, shell.newCall(), work, use);
      return;
    }
    const absent = others.find((_other, index) => parameters[index + 1] === undefined);
    if (absent !== undefined) throw new WrongArgument(`Missing required argument '${absent.argument.slice(1, -1)}'.`);
    const missing = required.find((option) => Reflect.get(typed, option.attributeName()) === undefined);
    if (missing !== undefined) throw new WrongArgument(`Required option '${missing.flags}' not specified.`);
    const options = await complete({ ...typed, ...Object.fromEntries(more) });
    const call = shell.newCall();
    await runCommand(shell, command, call, request(argument ?? '', options, call), use);
  });
}
