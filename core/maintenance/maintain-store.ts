import type { Call, NewCall } from '../call.ts';
import { Refusal, type CommandRefusal } from '../refusal.ts';
import type { BackupOutcome, Maintenance, PruneCursor } from './maintenance.port.ts';

/**
 * Copies the store to a file while others use it, and returns the size of the file in bytes, or null if it was stopped,
 * which leaves no file. Refuses with `backup_exists`, `backup_not_writable` or `backup_unsupported`.
 */
export type BackUpStore = (path: string, call: Call, isStopped: () => boolean) => Promise<number | null>;

const codes: Record<Exclude<BackupOutcome['kind'], 'copied' | 'stopped'>, CommandRefusal> = {
  'file exists': 'backup_exists',
  'not writable': 'backup_not_writable',
  'no file': 'backup_unsupported',
};

export function backUpStore(maintenance: Maintenance): BackUpStore {
  return async (path, call, isStopped) => {
    const outcome = await maintenance.backup(path, call, isStopped);
    if (outcome.kind === 'copied') return outcome.bytes;
    if (outcome.kind === 'stopped') return null;
    throw new Refusal(codes[outcome.kind]);
  };
}

/** Removes every expired idempotency record, slice by slice, each with a call of its own. Returns the number removed. */
export type PruneStore = (newCall: NewCall) => Promise<number>;

export function pruneStore(maintenance: Maintenance): PruneStore {
  return async (newCall) => {
    let removed = 0;
    let cursor: PruneCursor | null = null;
    do {
      const slice = await maintenance.prune(cursor, newCall());
      removed += slice.removed;
      cursor = slice.next;
    } while (cursor !== null);
    return removed;
  };
}
