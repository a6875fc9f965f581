import { setTimeout as sleep } from 'node:timers/promises';
import type { Database as Connection } from 'better-sqlite3';
import { asRefusal, isBusy } from './errors.ts';
import { retryDelay } from './retry-while-busy.ts';

/** A second and a half, unless another process holds a lock for longer. */
const attempts = 600;

/**
 * Moves the write-ahead log into the store file and truncates it, so that it has no copy of what was deleted. Leaves
 * that to a later checkpoint if another process reads or writes all the time, as a backup does.
 */
export async function emptyLog(connection: Connection): Promise<void> {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    if (truncated(connection)) return;
    await sleep(retryDelay());
  }
}

function truncated(connection: Connection): boolean {
  try {
    const [result] = connection.pragma('wal_checkpoint(TRUNCATE)') as readonly { readonly busy: number }[];
    return result?.busy === 0;
  } catch (error) {
    if (isBusy(error)) return false;
    throw asRefusal(error);
  }
}
