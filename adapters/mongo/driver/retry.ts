import { isTransient } from './errors.ts';

/**
 * When a command is sent a second time; there is never a third.
 *
 * - **A read** (`retryRead`) is sent again if it fails with a transient error or is unanswered after `replyTimeout`. The
 *   first answer counts, because a read changes nothing.
 * - **A write that is safe to repeat** (`retryWrite`) is sent again if it fails with a transient error, because it is
 *   then unknown whether it was applied. A slow one is not: the first may still be running.
 * - **Any other write** is sent once. Its sender learns that the outcome is unknown, and decides what to do.
 */

/** Milliseconds after which a command counts as unanswered. */
export const replyTimeout = 500;

export function retryRead<T>(ask: () => Promise<T>): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  let sent = 0;
  let failed = 0;
  const send = (): void => {
    sent += 1;
    ask().then(resolve, (error: unknown) => {
      failed += 1;
      if (sent === 1 && isTransient(error)) send();
      else if (failed === sent) reject(error);
    });
  };
  const timer = setTimeout(() => {
    if (sent === 1) send();
  }, replyTimeout);
  send();
  return promise.finally(() => clearTimeout(timer));
}

export async function retryWrite<T>(send: () => Promise<T>): Promise<T> {
  try {
    return await send();
  } catch (error) {
    if (!isTransient(error)) throw error;
    return send();
  }
}
