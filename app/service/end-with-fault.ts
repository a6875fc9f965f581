import { endProcess } from './end-process.ts';

/** Ends the process after a fault. Only the log's view of it is shown, because its message may quote what a client sent. */
export async function endWithFault(fault: unknown): Promise<never> {
  const { createLogger } = await import('./logger.ts');
  const log = await createLogger();
  log.fatal({ err: fault }, 'the process ends because of a fault');
  return endProcess(1);
}
