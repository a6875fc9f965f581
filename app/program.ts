import { runCommandLine } from '../adapters/cli/command-line.ts';
import { processShell } from './shell.ts';
import { StopSignals } from './stop-signals.ts';

/** Runs the command line of this process. `earlySignals` are the signals that came while it was loaded. */
export async function runProgram(earlySignals: readonly NodeJS.Signals[]): Promise<void> {
  const signals = new StopSignals(earlySignals);
  process.on('uncaughtException', (fault) => void endWith(fault));
  const running = runCommandLine(
    process.argv.slice(2),
    processShell(() => signals.takeOver()),
  ).catch(endWith);
  // By then the command line is parsed, and `serve` has asked for the signals.
  setImmediate(() => signals.commandHasBegun());
  process.exitCode = await running;
}

/** Ends the process after a fault. Only the log's view of it is shown, because its message may quote what a client sent. */
async function endWith(fault: unknown): Promise<never> {
  const { createLogger, endLog } = await import('./service/logger.ts');
  const log = await createLogger();
  log.fatal({ err: fault }, 'the process ends because of a fault');
  await endLog();
  process.exit(1);
}
