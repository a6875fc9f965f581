import type { Command } from 'commander';
import { logChanges } from '../../../core/administration/change-log.ts';
import type { Call } from '../../../core/call.ts';
import type { ValueRule } from '../../../core/parsing/value-rule.ts';
import { typedSettings } from '../input/options.ts';
import { print, type Output } from '../output/output.ts';
import { table } from '../output/table.ts';
import type { MissingStore, OpenAdministration, Shell } from '../shell/shell.ts';

/** Runs a command on its store: opens it, works, prints and closes. A refused command prints nothing. */
export async function runCommand(
  shell: Shell,
  command: Command,
  call: Call,
  work: (store: OpenAdministration) => Promise<Output>,
  missing: MissingStore = { create: false },
): Promise<void> {
  const workAndPrint = async (store: OpenAdministration): Promise<void> => print(await work(store), command, shell);
  await withStore(shell, command, call, workAndPrint, missing);
}

/** Opens the command's store, resolves with the result of `work`, and closes the store. The store logs its changes. */
export async function withStore<T>(
  shell: Shell,
  command: Command,
  call: Call,
  work: (store: OpenAdministration) => Promise<T>,
  missing: MissingStore = { create: false },
): Promise<T> {
  const store = await shell.openStore(typedSettings(command, shell.settingFlags), missing, call);
  try {
    return await work(logChanges(store, shell.log));
  } finally {
    await store.close();
  }
}

/** The result of a command that lists items, in text as a table of these members. */
export function listResult<Item extends object>(
  items: readonly Item[],
  members: readonly (keyof Item & string)[],
  flexible: readonly (keyof Item & string)[] = [],
): Output {
  return { json: { items }, text: (width) => table(items, members, width, flexible) };
}

/** What a command changes, as its positional argument or a batch line names it. */
export interface Subject {
  /** Its member in a batch line, such as "id". */
  readonly member: string;
  /** The positional argument, such as "<id>", and its description in the help. */
  readonly argument: string;
  readonly description: string;
  readonly rule: ValueRule<string>;
}

/** The result of one change, which is always one JSON value. */
export interface ChangeResult extends Output {
  readonly json: { readonly value: unknown };
}

/** The change that a command line or a batch line asks for. Throws `WrongArgument` before anything is done. */
export type ChangeRequest<Options> = (
  subject: string,
  options: Options,
  call: Call,
) => (store: OpenAdministration) => Promise<ChangeResult>;
