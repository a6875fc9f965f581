import { closeSync } from 'node:fs';
import { newCorrelationId } from '../../adapters/crypto/node-secrets.ts';
import { deadlineIn, type Actor, type Call } from '../../core/call.ts';

/** Begins a call of the service or of a command, which waits for the store at most so many milliseconds. */
export function newCall(now: Date, milliseconds: number, by: Actor): Call {
  const deadline = deadlineIn(milliseconds, () => performance.now());
  return { now, deadline, correlationId: newCorrelationId(), by, products: null };
}

/**
 * Lets SIGHUP call a function instead of ending the process. On a terminal it still does, because there the signal says
 * that the terminal was closed. Returns a function that ends this.
 */
export function onHangup(act: () => void): () => void {
  if (process.stderr.isTTY) return () => undefined;
  process.on('SIGHUP', act);
  return () => void process.off('SIGHUP', act);
}

/** Ends the process after a fault. Only the log's view of it is shown, because its message may quote what a client sent. */
export async function endWithFault(fault: unknown): Promise<never> {
  const { createLogger } = await import('./logger.ts');
  const log = await createLogger();
  log.fatal({ err: fault }, 'the process ends because of a fault');
  return endProcess(1);
}

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
