import type { Logger } from 'pino';
import { bufferedDestination, loggerTo, maxBuffered } from '../../app/service/logger.ts';

/** Creates the log of a measured server: as Latchkey writes it, but to a file. */
export function requestLog(file: string): Logger {
  return loggerTo(bufferedDestination(file, maxBuffered));
}
