import type { Command } from 'commander';
import type { Call } from '../../../core/call.ts';
import type { Administration } from '../../../core/administration/administration.ts';
import { print, type Output } from '../output/output.ts';
import { typedSettings } from '../input/settings-flags.ts';
import type { Change, MissingStore, Shell } from '../shell/shell.ts';

/** Options that every command takes. */
export interface CommonOptions {
  readonly json?: boolean;
}

export interface Outcome extends Output {
  /** For the log; null where nothing changed. */
  readonly change: Change | null;
}

/**
 * Carries out one command on its store: opens it, works, logs the change, prints and closes. Nothing is printed of a
 * command that is refused.
 */
export async function administer(
  shell: Shell,
  command: Command,
  call: Call,
  work: (store: Administration) => Promise<Outcome>,
  may: MissingStore = { create: false },
): Promise<void> {
  const { json = false } = command.optsWithGlobals<CommonOptions>();
  await withStore(
    shell,
    command,
    call,
    async (store) => {
      const outcome = await work(store);
      if (outcome.change !== null) shell.log(outcome.change);
      await print(outcome, json, shell);
    },
    may,
  );
}

/** What `work` makes of the command's store, which is open that long. */
export async function withStore<T>(
  shell: Shell,
  command: Command,
  call: Call,
  work: (store: Administration) => Promise<T>,
  may: MissingStore = { create: false },
): Promise<T> {
  const store = await shell.openStore(typedSettings(command, shell.settingFlags), may, call);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}
