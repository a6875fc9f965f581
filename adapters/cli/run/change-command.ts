import type { Command, Option } from 'commander';
import { dashArgument, valueArgument, valueOf } from '../input/options.ts';
import { WrongArgument } from '../shell/errors.ts';
import type { OpenAdministration, Shell } from '../shell/shell.ts';
import { runCommand, withStore, type ChangeRequest, type StoreUse, type Subject } from './run-command.ts';

export interface ChangeCommand<Options> {
  /** Its arguments, whose values are among the options. A command that adds something has none: its id is an option. */
  readonly subjects: readonly Subject[];
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
  const { subjects, request, complete = async (options) => options, use } = how;
  const required = requiredOptions(command);
  addArguments(command, subjects);
  command.action(async (...parameters: readonly unknown[]) => {
    const values = parameters.slice(0, -2);
    const typed = parameters.at(-2) as Options;
    if (values[0] === '-') {
      if (values.slice(1).some((value) => value !== undefined)) throw new WrongArgument('Nothing can follow "-".');
      const { runBatch } = await import('./batch.ts');
      const batch = { command, required, subjects, request };
      const work = (store: OpenAdministration): Promise<void> => runBatch(shell, store, batch);
      await withStore(shell, command, shell.newCall(), work, use);
      return;
    }
    const absent = subjects.find((_subject, index) => values[index] === undefined);
    if (absent !== undefined) throw new WrongArgument(`Missing required argument '${absent.argument.slice(1, -1)}'.`);
    checkRequired(required, typed);
    const named = Object.fromEntries(subjects.map(({ member }, index) => [member, values[index]]));
    const options = await complete({ ...typed, ...named });
    const call = shell.newCall();
    await runCommand(shell, command, call, request(options, call), use);
  });
}

/**
 * The options that a command requires. Commander no longer requires them, because a batch line may give those that the
 * command line does not.
 */
export function requiredOptions({ options }: Command): readonly Option[] {
  const required = options.filter(({ mandatory }) => mandatory);
  for (const option of required) option.makeOptionMandatory(false);
  return required;
}

/** Throws `WrongArgument` for a required option that was not given. */
export function checkRequired(required: readonly Option[], typed: object): void {
  const missing = required.find((option) => Reflect.get(typed, option.attributeName()) === undefined);
  if (missing !== undefined) throw new WrongArgument(`Required option '${missing.flags}' not specified.`);
}

/** Adds the arguments. The first may be `-`, and the others are left out then. */
function addArguments(command: Command, [first, ...others]: readonly Subject[]): void {
  if (first === undefined) {
    command.addArgument(dashArgument('[-]', batchHelp, `The argument of ${command.name()} must be "-".`));
    return;
  }
  const { argument, member, description, rule } = first;
  const parse = (text: string): string => (text === '-' ? text : valueOf(text, { flag: argument, member }, rule));
  command.argument(argument, `${description}, or ${batchHelp}`, parse);
  for (const each of others) {
    command.addArgument(valueArgument(each.argument, each.description, each.rule).argOptional());
  }
}
