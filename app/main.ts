#!/usr/bin/env node
import { runCommandLine } from '../adapters/cli/command-line.ts';
import { createLogger, endLog } from './service/logger.ts';
import { processShell } from './shell.ts';

/** A fault ends the program: what it says may repeat what somebody sent, so that only the log's view of it is shown. */
async function endWith(fault: unknown): Promise<never> {
  createLogger('auto').fatal({ err: fault }, 'the program ends because of a fault');
  await endLog();
  process.exit(1);
}

process.on('uncaughtException', (fault) => void endWith(fault));
process.exitCode = await runCommandLine(process.argv.slice(2), processShell()).catch(endWith);
