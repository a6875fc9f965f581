import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino, type DestinationStream, type Logger } from 'pino';
import pretty from 'pino-pretty';
import { faultView } from './fault-view.ts';

type Destination = ReturnType<typeof pino.destination>;

/** Bytes of lines that may wait for a reader: about 80,000 requests. */
export const maxBuffered = 16 * 1024 * 1024;

/** Milliseconds for which the end of the process waits for a reader of the log. */
const patience = 2000;

/** One for the whole process, so that no line is written into the middle of another. */
let standardError: Destination | null = null;

/**
 * Logs to standard error: for people on a terminal or where asked to, otherwise one JSON object a line, written behind
 * the answers. What is not written yet is written when the process ends; only a kill can lose it, and a reader that
 * stays behind by more than 16 MB.
 */
export function createLogger(format: string): Logger {
  const forPeople = format === 'pretty' || (format === 'auto' && process.stderr.isTTY);
  if (forPeople) return loggerTo(pretty({ destination: 2, sync: true, messageKey: 'message', ignore: 'pid,hostname' }));
  standardError ??= destinationBehind(2, maxBuffered);
  const destination = standardError;
  // Its `flushSync`, which pino calls at a fatal line, would write into the middle of what is just being written.
  return loggerTo({ write: (line) => void destination.write(line) });
}

/** Resolves when everything is written that was logged to standard error, or after two seconds in which nobody read it. */
export async function endLog(): Promise<void> {
  if (standardError === null) return;
  // Where its reader has gone away, there is nothing to wait for.
  const closed = once(standardError, 'close').catch(() => undefined);
  standardError.end();
  await Promise.race([closed, sleep(patience)]);
}

/**
 * A file or a file descriptor to which nothing waits to write: there is one write for some lines, at the latest after
 * 100 ms. Lines for which there is no room in `most` bytes are dropped; how many is a line of its own, as soon as
 * something is read again.
 */
export function destinationBehind(dest: string | number, most: number): Destination {
  const destination = pino.destination({ dest, sync: false, minLength: 4096, periodicFlush: 100, maxLength: most });
  const log = loggerTo(destination);
  let dropped = 0;
  destination.on('drop', () => {
    dropped += 1;
  });
  destination.on('write', () => {
    if (dropped === 0) return;
    const lines = dropped;
    log.warn({ lines }, 'lines of the log were dropped, because nobody read them');
    // Even this line may have found no room: then it is said again later.
    dropped = dropped === lines ? 0 : lines;
  });
  return destination;
}

export function loggerTo(destination: DestinationStream): Logger {
  return pino(
    {
      base: null,
      messageKey: 'message',
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (level) => ({ level }) },
      serializers: { err: faultView },
    },
    destination,
  );
}
