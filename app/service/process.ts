import { closeSync } from 'node:fs';
import { newCorrelationId } from '../../adapters/crypto/node-secrets.ts';
import { deadlineIn, type Actor, type Call } from '../../core/call.ts';
import type * as logger from './logger.ts';

/** Begins a call of the service or of a command, which waits for the store at most `milliseconds`. */
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

type Logging = typeof logger;

/** The log, once it is loaded. */
let logging: Logging | null = null;

/**
 * Loads the log, which most commands do not need. Everything gets it from here, so that a process that has a log has what
 * its end needs: by then, the folder of the program may be gone.
 */
export async function loadLogging(): Promise<Logging> {
  logging ??= await import('./logger.ts');
  return logging;
}

/** Milliseconds in which a fault must have ended the process. Its log has two seconds of them. */
const endTimeout = 5000;

/** Faults after which a process ends at once: they may leave it no turn of its event loop. */
const maxFaults = 100;

let faults = 0;

/**
 * Ends the process after a fault. Only the log's view of it is shown, because its message may quote what a client sent.
 * Never rejects, because that would be another fault, and so on for ever. Further faults change nothing: the log has the
 * first one, and what keeps the process from ending ends it at once.
 */
export async function endWithFault(fault: unknown): Promise<never> {
  faults += 1;
  if (faults === maxFaults) endAtOnce();
  if (faults > 1) return new Promise(() => {});
  setTimeout(endAtOnce, endTimeout);
  try {
    const { createLogger } = await loadLogging();
    const log = await createLogger();
    log.fatal({ err: fault }, 'the process ends because of a fault');
    return await endProcess(1);
  } catch {
    if (logging !== null) endAtOnce();
    process.stderr.write('A fault ends the process, and cannot be logged: the files of the program cannot be read.\n');
    process.exit(1);
  }
}

/**
 * Ends the process with this exit code after its log was written. If the log is not read in time, the process kills itself:
 * `process.exit` would wait for the reader, for ever if need be.
 */
export async function endProcess(code: number): Promise<never> {
  const isWritten = await (logging?.endLog() ?? true);
  if (isWritten) process.exit(code);
  return endAtOnce();
}

function endAtOnce(): never {
  process.kill(process.pid, 'SIGKILL');
  // Only process 1 of a container is still there. It can end by a crash, which must not report to standard error.
  closeSync(2);
  process.abort();
}
