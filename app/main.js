#!/usr/bin/env node
// @ts-check
// JavaScript, because Node compiles its entry before the compile cache is enabled: in TypeScript, the entry alone would
// cost every command 60 ms of CPU for loading the type stripper. An older Node must be able to load it, to be refused.
import { existsSync } from 'node:fs';
import module from 'node:module';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import './check-node.js';

/**
 * A signal without a handler would be lost in a container, where this is process 1. SIGHUP must not end a server, from its
 * start to its end, unless it says that the terminal was closed.
 *
 * @type {NodeJS.Signals[]}
 */
const earlySignals = [];
const signals = /** @type {const} */ (['SIGTERM', 'SIGINT', 'SIGHUP']);
for (const signal of process.stderr.isTTY ? signals.slice(0, 2) : signals) {
  process.on(signal, () => earlySignals.push(signal));
}

cacheCompiledModules();
const { runProgram } = await import('./program.ts');
await runProgram(earlySignals);

/**
 * Speeds up the next start. The cache is in the user's own folder: Node's default in the shared folder for temporary files
 * could be filled by another user with code of their choice. Never fails: without a writable home there is no cache.
 */
function cacheCompiledModules() {
  try {
    const caches = process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache');
    if (isAbsolute(caches) && existsSync(dirname(caches))) module.enableCompileCache(join(caches, 'latchkey'));
  } catch {
    // The user has no home.
  }
}
