#!/usr/bin/env node
import { runCommandLine } from '../adapters/cli/command-line.ts';
import { processShell } from './shell.ts';

process.exitCode = await runCommandLine(process.argv.slice(2), processShell());
