import { CommandFailed } from '../adapters/cli/shell/errors.ts';
import type { RestoredStore } from '../adapters/cli/shell/shell.ts';
import { administrationOf } from '../core/administration/administration.ts';
import type { Call, NewCall } from '../core/call.ts';
import { defaultTtl, retentionFor } from '../core/entitlement/idempotency/retention.ts';
import { UnusableStore } from '../core/store/store.port.ts';
import { nodePlatform } from './service/platform.ts';
import { openStore } from './stores/open-store.ts';
import { storeKindOf } from './stores/store-url.ts';

const failures = {
  'in use': ['store_in_use', 'A process uses the store: stop every server and command that does, and try again.'],
  'disk full': ['restore_not_written', 'The disk is full: the copy of the backup needs as much room as the backup.'],
  'not writable': ['restore_not_written', 'The folder of the store must exist and be writable.'],
} as const;

/**
 * Puts a backup into the place of the store at `url`. Returns null if it was stopped. Throws `CommandFailed`, and
 * `UnusableStore` for a file that is no usable backup; then nothing has changed.
 */
export async function restoreStore(
  url: string,
  backup: string,
  newCall: NewCall,
  isStopped: () => boolean,
): Promise<RestoredStore | null> {
  if (storeKindOf(url) !== 'sqlite') {
    const message = 'This store is not one file; restore it with a tool of its own, such as mongorestore for MongoDB.';
    throw new CommandFailed('restore_unsupported', message);
  }
  const { restoreBackup } = await import('../adapters/sqlite/maintenance/restore.ts');
  const check = (copy: string): Promise<void> => expectSound(`sqlite:${copy}`, newCall);
  const restoration = { backup, store: url.slice('sqlite:'.length), check };
  const outcome = await restoreBackup(restoration, newCall(), isStopped);
  if (outcome.kind === 'stopped') return null;
  if (outcome.kind === 'restored') return outcome;
  const [code, message] = failures[outcome.kind];
  throw new CommandFailed(code, `${message} Nothing was changed.`);
}

/** Checks a store as `store check` does. */
async function expectSound(url: string, newCall: NewCall): Promise<void> {
  const store = await open(url, newCall());
  try {
    const findings = await administrationOf(store.ports, nodePlatform).checkStore(newCall);
    const faults = findings.filter(({ ok }) => !ok).map(({ message }) => message);
    if (faults.length > 0) throw new UnusableStore(`The backup is not in order: ${faults.join(' ')}`);
  } finally {
    await store.close();
  }
}

function open(url: string, call: Call): ReturnType<typeof openStore> {
  return openStore(url, { create: false }, retentionFor(defaultTtl), call);
}
