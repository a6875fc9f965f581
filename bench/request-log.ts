import type { Logger } from 'pino';
import { loggerBehind } from '../app/logger.ts';

/** The log of everything that is measured: Latchkey's logger, to a file. */
export function requestLog(file: string): Logger {
  return loggerBehind(file);
}
