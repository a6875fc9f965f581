import { closeSync } from 'node:fs';

/**
 * Ends the process with this exit code after its log was written. If the log is not read in time, the process kills itself:
 * `process.exit` would wait for the reader, for ever if need be.
 */
export async function endProcess(code: number): Promise<never> {
  const { endLog } = await import('./logger.ts');
  if (await endLog()) process.exit(code);
  process.kill(process.pid, 'SIGKILL');
  // Only process 1 of a container is still there. It can end by a crash, which must not report to standard error.
  closeSync(2);
  process.abort();
}
