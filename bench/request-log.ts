import { pino, type Logger } from 'pino';
import { loggerTo } from '../app/logger.ts';

/** The log of everything that is measured: Latchkey's logger, to a file, in the background. */
export function requestLog(file: string): Logger {
  return loggerTo(pino.destination({ dest: file, sync: false }));
}
