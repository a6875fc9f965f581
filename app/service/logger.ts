import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino, type DestinationStream, type Logger } from 'pino';
import type { Settings } from '../settings/settings.ts';
import { faultView } from './fault-view.ts';

type Destination = ReturnType<typeof pino.destination>;

/** Maximum size of the lines that wait to be written, in bytes: about 80,000 requests. */
export const maxBuffered = 16 * 1024 * 1024;

/** Maximum time to wait for the log to be read when the process ends, in milliseconds. */
const closeTimeout = 2000;

/** Shared by all loggers of the process, so that no line is written into the middle of another. */
let standardError: Destination | null = null;

/**
 * Creates a logger to standard error: pretty lines, or one JSON object a line. JSON lines are buffered for at most 100 ms
 * and flushed when the process ends; lines are lost if the process is killed, and dropped above `maxBuffered`.
 */
export async function createLogger(
  format: Settings['logFormat'] = 'auto',
  level: Settings['logLevel'] = 'info',
): Promise<Logger> {
  if (format === 'pretty' || (format === 'auto' && process.stderr.isTTY)) {
    const { default: pretty } = await import('pino-pretty');
    return loggerTo(pretty({ destination: 2, sync: true, messageKey: 'message', ignore: 'pid,hostname' }), level);
  }
  standardError ??= bufferedDestination(2, maxBuffered);
  const destination = standardError;
  // Without `flushSync`, which pino calls at a fatal line: it would write into the middle of a write in progress.
  return loggerTo({ write: (line) => void destination.write(line) }, level);
}

/** Flushes standard error. Resolves after two seconds at the latest, even if nobody reads it. */
export async function endLog(): Promise<void> {
  if (standardError === null) return;
  // A reader that is gone makes `once` reject; then there is nothing to wait for.
  const closed = once(standardError, 'close').catch(() => undefined);
  standardError.end();
  await Promise.race([closed, sleep(closeTimeout)]);
}

/**
 * Opens a file or file descriptor without ever blocking a caller: lines are written in groups, at most 100 ms later. A
 * line that does not fit into `maxBytes` is dropped; the number of dropped lines is logged once there is room again.
 */
export function bufferedDestination(dest: string | number, maxBytes: number): Destination {
  const destination = pino.destination({ dest, sync: false, minLength: 4096, periodicFlush: 100, maxLength: maxBytes });
  const log = loggerTo(destination);
  let dropped = 0;
  destination.on('drop', () => {
    dropped += 1;
  });
  destination.on('write', () => {
    if (dropped === 0) return;
    const lines = dropped;
    log.warn({ lines }, 'log lines were dropped because nobody read them');
    // This line may have been dropped as well: then `dropped` has grown, and the next write reports all of them.
    dropped = dropped === lines ? 0 : lines;
  });
  return destination;
}

/** Creates a logger in the form that the service logs in. */
export function loggerTo(destination: DestinationStream, level: Settings['logLevel'] = 'info'): Logger {
  return pino(
    {
      level,
      base: null,
      messageKey: 'message',
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: faultView },
    },
    destination,
  );
}
