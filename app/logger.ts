import { pino, type DestinationStream, type Logger } from 'pino';
import pretty from 'pino-pretty';
import { faultView } from './fault-view.ts';

/**
 * Logs to standard error: for people on a terminal or where asked to, otherwise one JSON object a line, written behind
 * the answers. What is not written yet is written when the process ends; only a kill can lose it.
 */
export function createLogger(format: string): Logger {
  const forPeople = format === 'pretty' || (format === 'auto' && process.stderr.isTTY);
  if (forPeople) return loggerTo(pretty({ destination: 2, sync: true, messageKey: 'message', ignore: 'pid,hostname' }));
  return loggerBehind(2);
}

/** Logs to a file or a file descriptor behind the answers: a write for each few lines, at the latest after 100 ms. */
export function loggerBehind(dest: string | number): Logger {
  return loggerTo(pino.destination({ dest, sync: false, minLength: 4096, periodicFlush: 100 }));
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
