import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'better-sqlite3';
import type { Call } from '../../../core/call.ts';
import { Refusal } from '../../../core/refusal.ts';
import { UnusableStore } from '../../../core/store/store.port.ts';

/** The code of an error of the system or of SQLite; empty for any other. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

/** Returns whether the statement failed because another connection holds the lock that it needs. A retry can succeed. */
export function isBusy(error: unknown): boolean {
  return error instanceof Database.SqliteError && /^SQLITE_(BUSY|LOCKED)/.test(error.code);
}

/**
 * Returns whether the statement failed because it needs more room than the disk has. The second code is that of the index of
 * the write-ahead log, without which nothing can be read either.
 */
export function isDiskFull(error: unknown): boolean {
  return error instanceof Database.SqliteError && /^SQLITE_(FULL|IOERR_SHMSIZE)$/.test(error.code);
}

/** Turns an error of SQLite into `store_unavailable`; returns any other error unchanged. */
export function asRefusal(error: unknown): unknown {
  if (!(error instanceof Database.SqliteError)) return error;
  if (isDiskFull(error)) return fullDisk(error);
  if (/^SQLITE_(CORRUPT|NOTADB)/.test(error.code)) return damagedStore(error);
  return new Refusal('store_unavailable', { cause: error });
}

function fullDisk(cause: unknown): Refusal {
  const full = new UnusableStore('The disk of the store is full, and nothing was changed: make room, and try again.', {
    cause,
  });
  return new Refusal('store_unavailable', { cause: full });
}

/** A refusal whose cause says what to do. */
export function damagedStore(cause: unknown): Refusal {
  const damage = new UnusableStore('The store is damaged: restore it from a backup.', { cause });
  return new Refusal('store_unavailable', { cause: damage });
}

/**
 * Turns an error of SQLite that shows damage of a file that is being opened into `UnusableStore`; returns any other
 * error unchanged. A statement of our own that does not compile shows a damaged schema.
 */
export function asDamage(error: unknown, file: string): unknown {
  if (!(error instanceof Database.SqliteError) || !/^SQLITE_(CORRUPT|NOTADB|ERROR$)/.test(error.code)) return error;
  return new UnusableStore(`The store at ${file} is damaged: restore it from a backup.`, { cause: error });
}

/** The refusal of a write to store files that were removed or replaced. */
export function lostFiles(): Refusal {
  const loss = new UnusableStore('The files of the store were removed or replaced while it was open: start again.');
  return new Refusal('store_unavailable', { cause: loss });
}

/**
 * Retries `work` while the file is busy. Refuses with `store_unavailable` at the deadline, and for any other error of
 * SQLite.
 */
export async function retryWhileBusy<T>(call: Call, work: () => T): Promise<T> {
  for (;;) {
    try {
      return work();
    } catch (error) {
      if (!isBusy(error)) throw asRefusal(error);
      if (call.deadline.remaining() <= 0) throw new Refusal('store_unavailable', { cause: error });
      await sleep(retryDelay());
    }
  }
}

/** Returns 1 to 4 ms. Random, so that two processes that wait for the same lock do not stay in step. */
export function retryDelay(): number {
  return 1 + Math.random() * 3;
}
