import { Readable } from 'node:stream';
import { Interrupted } from '../shell/errors.ts';

/** The items until `stopping` aborts, also if the next one is still to come. */
export async function* untilStopped<Item>(items: AsyncIterable<Item>, stopping: AbortSignal): AsyncIterable<Item> {
  const iterator = items[Symbol.asyncIterator]();
  let stop: (() => void) | null = null;
  const onAbort = (): void => stop?.();
  stopping.addEventListener('abort', onAbort);
  try {
    while (!stopping.aborted) {
      // A race with one promise for all items would keep a reaction for each of them in memory.
      const next = await new Promise<IteratorResult<Item> | null>((resolve, reject) => {
        stop = () => resolve(null);
        iterator.next().then(resolve, reject);
      });
      if (next === null || next.done === true) return;
      yield next.value;
    }
  } finally {
    stopping.removeEventListener('abort', onAbort);
  }
}

/** The error of a command that ends because `stopping` has aborted. */
export function interrupted({ reason }: AbortSignal, message: string): Interrupted {
  return new Interrupted(reason === 'SIGTERM' ? 'SIGTERM' : 'SIGINT', message);
}

/** Stops reading. An input that is read keeps the process running until its writer closes it. */
export function closeInput(input: AsyncIterable<Uint8Array>): void {
  if (input instanceof Readable) input.destroy();
}
