import type { Command } from 'commander';
import type { Call } from '../../core/call.ts';
import { UnusableStore } from '../../core/unusable-store.ts';
import type { Administration } from './administration.ts';
import { print, type Output } from './output.ts';
import type { Change, Shell } from './shell.ts';

/** Options that every command takes. */
export interface CommonOptions {
  readonly store?: string;
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
  may = { create: false },
): Promise<void> {
  const { store: url = shell.defaultStore, json = false } = command.optsWithGlobals<CommonOptions>();
  if (url.startsWith('memory:')) {
    throw new UnusableStore('A store in memory ends with its process: only serve and demo can use one.');
  }
  const store = await shell.openStore(url, may, call);
  try {
    const outcome = await work(store);
    if (outcome.change !== null) shell.log(outcome.change);
    await print(outcome, json, shell);
  } finally {
    await store.close();
  }
}
