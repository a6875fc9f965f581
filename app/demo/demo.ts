import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CommandFailed } from '../../adapters/cli/shell/errors.ts';
import { seededBytes } from '../../adapters/crypto/node-secrets.ts';
import { serve, type ServeParts } from '../server/serve.ts';
import { nodePlatform, platformWith } from '../service/platform.ts';
import { newCall } from '../service/process.ts';
import { hasBuyerPages } from '../settings/buyer-pages.ts';
import type { Settings } from '../settings/settings.ts';
import { buyerText, consoleText, demoJson, demoText, pagesText } from './printed.ts';
import { receiverNetwork, startReceiver } from './receiver.ts';
import { fillStore, type DemoPlatforms } from './sample-data.ts';

export interface DemoOptions {
  readonly print: (text: string) => void;
  readonly json: boolean;
  /** The same seed makes the same keys and ids; null makes random ones. */
  readonly seed: string | null;
}

/**
 * Serves sample data from a store in a temporary folder, which is removed at the end, and prints a request to try for
 * each operation. Throws `CommandFailed` if the folder cannot be created.
 */
export async function demo(settings: Settings, parts: ServeParts, { print, json, seed }: DemoOptions): Promise<void> {
  const folder = await temporaryFolder();
  const store = `sqlite:${join(folder, 'latchkey.db')}`;
  await using receiver = await startReceiver();
  const webhookAllowNetworks = [...(settings.webhookAllowNetworks ?? []), receiverNetwork];
  const own: Settings = { ...settings, store, adminPort: settings.adminPort ?? 0, webhookAllowNetworks };
  try {
    const data = await fillStore(
      own,
      platformsOf(seed),
      receiver,
      newCall(parts.clock(), settings.storeDeadline, 'command:demo'),
    );
    const printOnceLoaded = async (address: string, adminAddress: string | null, loaded: Promise<void>) => {
      // What it prints can be tried in any order, and `/readyz` is among it.
      await loaded;
      const addresses = { address, adminAddress: adminAddress ?? '' };
      const buyer = hasBuyerPages(settings) ? buyerText(addresses, data) : '';
      const pages = settings.pages === 'on' ? pagesText(address) : '';
      const console = settings.console === 'on' ? consoleText(addresses, data) : '';
      print(
        json ? demoJson(addresses, data) : `${demoText(addresses, data, parts.clock())}\n${buyer}${pages}${console}`,
      );
    };
    await serve(own, parts, (...serving) => void printOnceLoaded(...serving));
  } finally {
    // The folder may be gone already, where temporary files are cleaned up.
    await rm(folder, { recursive: true, force: true });
  }
}

function platformsOf(seed: string | null): DemoPlatforms {
  if (seed === null) return { printed: nodePlatform, rest: nodePlatform };
  const events = seededBytes(`events of ${seed}`);
  return {
    printed: platformWith(seededBytes(seed), events),
    rest: platformWith(seededBytes(`rest of ${seed}`), events),
  };
}

async function temporaryFolder(): Promise<string> {
  try {
    return await mkdtemp(join(tmpdir(), 'latchkey-demo-'));
  } catch (cause) {
    throw new CommandFailed(
      'demo_folder_unusable',
      `The demo cannot write to ${tmpdir()}, where it keeps its store: set TMPDIR to a folder that is writable.`,
      { cause },
    );
  }
}
