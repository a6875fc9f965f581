import type { Logger } from 'pino';
import { destinationBehind, loggerTo, maxBuffered } from '../app/service/logger.ts';

/** The log of everything that is measured: as Latchkey writes it, to a file. */
export function requestLog(file: string): Logger {
  return loggerTo(destinationBehind(file, maxBuffered));
}
