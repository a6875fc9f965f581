import { setTimeout as sleep } from 'node:timers/promises';
import type { Call } from '../../../core/call.ts';
import { Refusal } from '../../../core/refusal.ts';
import { asRefusal, isBusy } from './errors.ts';

/** Retries `work` while the file is busy. Refuses with `store_unavailable` at the deadline, and for any other error of SQLite. */
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
