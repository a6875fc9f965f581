#!/usr/bin/env node
import { runCommandLine } from '../adapters/cli/command-line.ts';
import { createLogger } from './logger.ts';
import { processShell } from './shell.ts';

/** A fault ends the program: what it says may repeat what somebody sent, so that only the log's view of it is shown. */
function endWith(fault: unknown): never {
  createLogger('auto').fatal({ err: fault }, 'the program ends because of a fault');
  process.exit(1);
}

process.on('uncaughtException', endWith);
process.exitCode = await runCommandLine(process.argv.slice(2), processShell()).catch(endWith);
