import { open } from 'node:fs/promises';
import type { InputFile, Shell } from '../adapters/cli/shell/shell.ts';
import { CommandFailed, WrongArgument } from '../adapters/cli/shell/errors.ts';
import { UnusableAddress } from '../adapters/http/server/listen.ts';
import { administrationOf } from '../core/administration/administration.ts';
import type { Clock } from '../core/call.ts';
import { retentionFor } from '../core/entitlement/idempotency/retention.ts';
import { nodePlatform } from './service/platform.ts';
import { newCall } from './service/new-call.ts';
import { demo } from './demo/demo.ts';
import { createLogger } from './service/logger.ts';
import { release } from './service/release.ts';
import { serve } from './service/serve.ts';
import { describeSettings, settingFlags } from './settings/describe.ts';
import { resolveForCommand, resolveSettings } from './settings/resolve.ts';
import { openStorePair } from './stores/open-store-pair.ts';
import { migrateStore } from './stores/migrate-store.ts';
import { openStore, openStoreOrEmpty } from './stores/open-store.ts';

/** A command may take longer than a request: nobody's buyer is waiting for it. */
const commandTime = 60_000;

const clock: Clock = () => new Date();

/** The command line's world: this process, its environment, its clock and its streams. */
export function processShell(): Shell {
  const { stdin, stdout, stderr } = process;
  const print = (text: string): void => void stdout.write(text);
  const log = createLogger('auto');
  return {
    version: release,
    settingFlags,
    effectiveSettings: (typed) => describeSettings(resolveSettings(typed, process.env)),
    openStore: async (typed, { create, pretend = false }, call) => {
      const { store: url, idempotencyTtl } = resolveForCommand(typed, process.env);
      const retention = retentionFor(idempotencyTtl);
      const opening = pretend ? openStoreOrEmpty(url, retention, call) : openStore(url, { create }, retention, call);
      const store = await opening;
      return { ...administrationOf(store.ports, nodePlatform), close: () => store.close() };
    },
    migrateStore: (typed, call) => migrateStore(resolveForCommand(typed, process.env).store, call),
    openStorePair,
    serve: async ({ settings: typed, json }) => {
      const { settings } = resolveSettings(typed, process.env);
      const onServing = async (url: string): Promise<void> => {
        if (json) print(`${JSON.stringify({ address: url })}\n`);
      };
      await serve(settings, clock, createLogger(settings.logFormat), onServing).catch(asCommandFailure);
    },
    demo: async ({ settings: typed, json }) => {
      const { settings } = resolveSettings(typed, process.env);
      await demo(settings, clock, createLogger(settings.logFormat), { print, json }).catch(asCommandFailure);
    },
    newCall: () => newCall(clock(), commandTime),
    log: (change) => log.info(change, 'changed'),
    openFile,
    stdin,
    stdout,
    stderr,
  };
}

function asCommandFailure(error: unknown): never {
  throw error instanceof UnusableAddress ? new CommandFailed(error.message, { cause: error }) : error;
}

async function openFile(path: string): Promise<InputFile> {
  const handle = await open(path).catch(() => null);
  const found = await handle?.stat();
  if (handle !== null && found?.isDirectory() === false) {
    return { size: found.isFile() ? found.size : null, content: handle.createReadStream() };
  }
  await handle?.close();
  throw new WrongArgument('The file must exist and be readable.');
}
