import type { Command } from 'commander';
import { administer, withStore } from './run-command.ts';
import type { Administration } from '../../../core/administration/administration.ts';
import { standardInput } from '../input/arguments.ts';
import type { ChangeRequest, Subject } from './change-request.ts';
import { runJob } from './job.ts';
import type { Shell } from '../shell/shell.ts';
import { WrongArgument } from '../shell/errors.ts';

export interface ChangeCommand<Options> {
  /** Null where the thing is new, and its id an option. */
  readonly subject: Subject | null;
  readonly request: ChangeRequest<Options>;
  /** Completes the options of a command line, which can name standard input where those of a line cannot. */
  readonly complete?: (options: Options) => Promise<Options>;
  /** Whether the store is created if there is none. */
  readonly create?: true;
}

const eachLine = '- for one a line of standard input, as JSON with the options in camelCase';

/**
 * Completes a command that changes one thing, once its options are declared. With `-` in the place of the thing it
 * carries out one such change for each line of standard input, in one process.
 */
export function changeCommand<Options extends object>(
  command: Command,
  shell: Shell,
  how: ChangeCommand<Options>,
): void {
  const { subject, request, complete = async (options) => options, create = false } = how;
  const required = command.options.filter(({ mandatory }) => mandatory);
  // A line may give what the command line does not.
  for (const option of required) option.makeOptionMandatory(false);
  if (subject === null) command.argument('[-]', eachLine, standardInput(`The argument of ${command.name()}`));
  else {
    const parse = (text: string): string => (text === '-' ? text : subject.parse(text));
    command.argument(subject.argument, `${subject.description}, or ${eachLine}`, parse);
  }
  command.action(async (argument: string | undefined, typed: Options) => {
    if (argument === '-') {
      const work = (store: Administration): Promise<void> =>
        runJob(shell, store, { command, required, subject, request });
      await withStore(shell, command, shell.newCall(), work, { create });
      return;
    }
    const missing = required.find((option) => Reflect.get(typed, option.attributeName()) === undefined);
    if (missing !== undefined) throw new WrongArgument(`Required option '${missing.flags}' not specified.`);
    const options = await complete(typed);
    const call = shell.newCall();
    const work = request(argument ?? '', options, call);
    await administer(shell, command, call, work, { create });
  });
}
