import type { Command } from 'commander';
import { logChanges, type ChangeLines } from '../../../core/administration/change-log.ts';
import type { Call } from '../../../core/call.ts';
import type { ValueRule } from '../../../core/parsing/value-rule.ts';
import { typedSettings } from '../input/options.ts';
import { print, type Output } from '../output/output.ts';
import type { OpenAdministration, Shell, StoreAccess } from '../shell/shell.ts';

/** The way in which a command uses its store. */
export interface StoreUse extends StoreAccess {
  /** The log lines of its changes, besides core's own. */
  readonly lines?: ChangeLines;
}

/** Runs a command on its store: opens it, works, prints and closes. A refused command prints nothing. */
export async function runCommand(
  shell: Shell,
  command: Command,
  call: Call,
  work: (store: OpenAdministration) => Promise<Output>,
  use?: StoreUse,
): Promise<void> {
  const workAndPrint = async (store: OpenAdministration): Promise<void> => print(await work(store), command, shell);
  await withStore(shell, command, call, workAndPrint, use);
}

/** Opens the command's store, resolves with the result of `work`, and closes the store. The store logs its changes. */
export async function withStore<T>(
  shell: Shell,
  command: Command,
  call: Call,
  work: (store: OpenAdministration) => Promise<T>,
  { lines, ...access }: StoreUse = { create: false },
): Promise<T> {
  const store = await shell.openStore(typedSettings(command, shell.settingFlags), access, call);
  try {
    return await work(logChanges(store, shell.log, lines));
  } finally {
    await store.close();
  }
}

/** An argument of a command, which a batch line names as a member. */
export interface Subject {
  /** Its member in a batch line, such as "id". */
  readonly member: string;
  /** The positional argument, such as "<id>", and its description in the help. */
  readonly argument: string;
  readonly description: string;
  readonly rule: ValueRule<string>;
}

/** The change that a command line or a batch line asks for. Throws `WrongArgument` before anything is done. */
export type ChangeRequest<Options> = (options: Options, call: Call) => (store: OpenAdministration) => Promise<Output>;
