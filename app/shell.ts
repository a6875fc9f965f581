import type { Shell } from '../adapters/cli/shell.ts';
import type { Clock } from '../core/call.ts';
import { administrationOf } from './administration.ts';
import { newCall } from './call.ts';
import { demo } from './demo.ts';
import { createLogger } from './logger.ts';
import { release } from './release.ts';
import { serve } from './serve.ts';
import { resolveSettings } from './settings/resolve.ts';
import { settingsOf } from './settings/settings.ts';
import { openStore } from './stores/open-store.ts';

/** A command may take longer than a request: nobody's buyer is waiting for it. */
const commandTime = 60_000;

const clock: Clock = () => new Date();

/** The command line's world: this process, its environment, its clock and its streams. */
export function processShell(): Shell {
  const settings = settingsOf(resolveSettings({ flags: {}, environment: process.env, file: null }));
  const log = createLogger(process.stderr);
  return {
    version: release,
    defaultStore: settings.store,
    openStore: async (url, may, call) => administrationOf(await openStore(url, may, settings.retention, call)),
    serve: ({ store, host, port }) => serve({ ...settings, store, host, port }, clock, log),
    demo: ({ host, port }) => demo({ ...settings, host, port }, clock, log, (text) => void process.stdout.write(text)),
    newCall: () => newCall(clock(), commandTime),
    log: (change) => log.info(change, 'changed'),
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
  };
}
