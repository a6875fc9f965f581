import { isTransient } from './errors.ts';

/** Milliseconds after which the store is taken for slow: a read is sent once more, a slot is given up. */
export const patience = 500;

/**
 * The first answer to a question that changes nothing. It is sent once more when it is unanswered after 500 ms or
 * fails because the connection or the primary was lost.
 */
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
  }, patience);
  send();
  return promise.finally(() => clearTimeout(timer));
}
