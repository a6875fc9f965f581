import { runCommandLine } from '../adapters/cli/command-line.ts';
import { endWithFault } from './service/process.ts';
import { processShell } from './shell.ts';
import { StopSignals } from './stop-signals.ts';

/** Runs the command line of this process. `earlySignals` are the signals that came while it was loaded. */
export async function runProgram(earlySignals: readonly NodeJS.Signals[]): Promise<void> {
  const signals = new StopSignals(earlySignals);
  process.on('uncaughtException', (fault) => void endWithFault(fault));
  const running = runCommandLine(
    process.argv.slice(2),
    processShell((...options) => signals.takeOver(...options)),
  ).catch(endWithFault);
  // By then the command line is parsed, and `serve` has asked for the signals.
  setImmediate(() => signals.commandHasBegun());
  process.exitCode = await running;
}
