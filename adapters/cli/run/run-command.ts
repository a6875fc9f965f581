import type { Command } from 'commander';
import type { LoggedChange } from '../../../core/administration/platform.ts';
import type { Call } from '../../../core/call.ts';
import { typedSettings } from '../input/settings-flags.ts';
import { print, type Output } from '../output/output.ts';
import type { MissingStore, OpenAdministration, Shell } from '../shell/shell.ts';

export interface CommandResult extends Output {
  /** Null if nothing was changed or sent. */
  readonly logged: LoggedChange | null;
}

/** Runs a command on its store: opens it, works, logs the change, prints and closes. A refused command prints nothing. */
export async function runCommand(
  shell: Shell,
  command: Command,
  call: Call,
  work: (store: OpenAdministration) => Promise<CommandResult>,
  missing: MissingStore = { create: false },
): Promise<void> {
  const workAndPrint = async (store: OpenAdministration): Promise<void> => {
    const result = await work(store);
    if (result.logged !== null) shell.log(result.logged);
    await print(result, command, shell);
  };
  await withStore(shell, command, call, workAndPrint, missing);
}

/** Resolves with what `work` makes of the command's store, which is closed afterwards. */
export async function withStore<T>(
  shell: Shell,
  command: Command,
  call: Call,
  work: (store: OpenAdministration) => Promise<T>,
  missing: MissingStore = { create: false },
): Promise<T> {
  const store = await shell.openStore(typedSettings(command, shell.settingFlags), missing, call);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}
