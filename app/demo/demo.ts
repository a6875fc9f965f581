import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CommandFailed } from '../../adapters/cli/shell/errors.ts';
import { seededBytes } from '../../adapters/crypto/node-secrets.ts';
import { httpUrl } from '../../adapters/http/http-url.ts';
import { loadStripe, StripeNotInstalled } from '../../adapters/stripe/client/create-stripe.ts';
import { isLoopbackHost } from '../../core/parsing/host-pattern.ts';
import type { FakeStripe } from '../../testing/stripe/fake-stripe.ts';
import { fakeStripe } from '../../testing/stripe/start-fake-stripe.ts';
import { serve, type ServeParts } from '../server/serve.ts';
import { nodePlatform, platformWith } from '../service/platform.ts';
import { newCall } from '../service/process.ts';
import type { Settings } from '../settings/settings.ts';
import { addressesText, type DemoAddresses } from './addresses.ts';
import { liveThroughFirstDay } from './first-day.ts';
import { startOutside, type Outside } from './outside/outside.ts';
import { demoJson, demoText } from './printed.ts';
import { receiverNetwork, startReceiver } from './receiver.ts';
import { fillStore, type DemoPlatforms } from './sample-data.ts';
import { openShop, priceMappings } from './stripe-sales.ts';

/** Milliseconds that filling the store may take, also on a slow machine that does other things. */
const fillingTime = 300_000;

export interface DemoOptions {
  readonly print: (text: string) => void;
  readonly json: boolean;
  /** The same seed makes the same keys and ids; null makes random ones. */
  readonly seed: string | null;
}

/**
 * Serves sample data from a store in a temporary folder, which is removed at the end, and prints a request to try for
 * each operation and the addresses to open in a browser. Fakes on this machine stand in for Stripe and a mail server,
 * whatever the settings name. Throws `CommandFailed` if the folder cannot be created.
 */
export async function demo(settings: Settings, parts: ServeParts, { print, json, seed }: DemoOptions): Promise<void> {
  const folder = await temporaryFolder();
  try {
    await using receiver = await startReceiver();
    await using stripe = await startStripe();
    const shop = stripe === null ? null : openShop(stripe);
    await using outside = await startOutside(shop);
    const own = {
      ...settings,
      ...settingsOf(settings, stripe, outside),
      store: `sqlite:${join(folder, 'latchkey.db')}`,
    };
    const around = { receiver, makersUrl: outside.url, prices: shop === null ? [] : priceMappings };
    const filling = newCall(parts.clock(), fillingTime, 'command:demo');
    const data = await fillStore(own, platformsOf(seed), around, filling);
    const goOn = async (served: ServedAddresses, loaded: Promise<void>): Promise<void> => {
      // The printed requests can be tried in any order, and `/readyz` is among them.
      await loaded;
      outside.serviceIsAt(served);
      const claimPath = await liveThroughFirstDay(served, shop, data, own, parts.clock());
      const where = addressesText({ ...served, outboxUrl: `${outside.url}/outbox`, claimPath }, data, own);
      print(json ? demoJson(served, data) : `${demoText(served, data, parts.clock())}\n${where}`);
    };
    let going = Promise.resolve();
    const failed = new AbortController();
    const stopping = AbortSignal.any([parts.stopping, failed.signal]);
    await serve(own, { ...parts, stopping }, (address, adminUrl, loaded, merchantUrl) => {
      const served = { address, adminAddress: adminUrl ?? '', merchantAddress: merchantUrl ?? '' };
      going = goOn(served, loaded).catch((error: unknown) => {
        // A server that stops refuses the rest of the first day.
        if (!parts.stopping.aborted) throw error;
      });
      going.catch(() => failed.abort());
    });
    await going;
  } finally {
    // The folder may be gone already, where temporary files are cleaned up.
    await rm(folder, { recursive: true, force: true });
  }
}

type ServedAddresses = Pick<DemoAddresses, 'address' | 'adminAddress' | 'merchantAddress'>;

/** Starts the fake of Stripe. Null without Stripe's library, by which the service asks it. */
async function startStripe(): Promise<FakeStripe | null> {
  try {
    await loadStripe();
  } catch (error) {
    if (error instanceof StripeNotInstalled) return null;
    throw error;
  }
  return fakeStripe();
}

/** The settings by which the service reaches the fakes, and nothing that it would reach otherwise. */
function settingsOf(settings: Settings, stripe: FakeStripe | null, outside: Outside) {
  const { host, port, publicUrl, adminPort, merchantPort, merchantUrl, trustedProxies, rateLimits } = settings;
  return {
    publicUrl: publicUrl ?? (port === 0 || !isLoopbackHost(host) ? null : httpUrl(host, port)),
    adminPort: adminPort ?? 0,
    merchantPort: merchantPort ?? 0,
    merchantUrl: merchantUrl ?? `${outside.url}/merchants`,
    trustedProxies: trustedProxies ?? ['loopback'],
    rateLimits: rateLimits === 'off' ? { merchants: 6000 } : rateLimits,
    webhookAllowNetworks: [...(settings.webhookAllowNetworks ?? []), receiverNetwork],
    siteImageHosts: [...(settings.siteImageHosts ?? []), outside.host],
    stripeApiBase: stripe?.url ?? settings.stripeApiBase,
    stripeApiKey: stripe?.apiKey ?? null,
    stripeWebhookSecret: stripe === null ? null : [stripe.webhookSecret],
    smtpUrl: { host: '127.0.0.1', port: outside.mailPort, security: 'plain', credentials: null },
    mailFrom: { name: settings.siteName, address: 'keys@latchkey.example' },
    mailReplyTo: null,
  } as const satisfies Partial<Settings>;
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
