import { setTimeout as pause } from 'node:timers/promises';
import { digest } from '../../../../adapters/crypto/node-secrets.ts';
import { putTier } from '../../../../core/tier/manage-tiers.ts';
import { termsOf } from '../../../../core/tier/tier.ts';
import { trialOf, type Trial } from '../../../../core/trial/trial.ts';
import { aCall, day } from '../../builders.ts';
import { countingIds } from '../../random-entitlements.ts';
import { range } from '../../range.ts';
import { kidOf } from '../../receipts/read-receipt.ts';
import { fillStore } from '../../stores/filled-store.ts';
import type { OpenedStore } from '../../stores/stores.ts';

/** The keys of a store that is filled for trials. */
export const keys = {
  appKey: 'svc_sk_live_of-the-tests-of-trials',
  operatorKey: 'svc_op_live_of-the-tests-of-trials',
  licenseKey: 'a-license-key-of-a-buyer',
};
const apps = 3;
const startsAtOnce = 4;

/** Milliseconds between two attempts of a request: while a server starts, its clients must leave it the processor. */
const retryInterval = 200;

/** The options of a server: each device has an address of its own, so that no limit counts them together. */
export const trialFlags = ['--trusted-proxies', 'loopback', '--device-releases', '1000'];

interface Answer {
  /** 0 for none. */
  readonly status: number;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Fills the store at `url` with a license of the entitlement `ent_1`, which has two seats, and with other entitlements. */
export function fillTrialStore(url: string, others: readonly string[] = []): Promise<void> {
  return fillStore(url, keys, ['ent_1', ...others]);
}

/** Lets devices try the product of that license for 14 days. */
export async function offerTrial(store: OpenedStore): Promise<void> {
  const terms = termsOf({ deviceLimit: 2, trial: 14 * day });
  await putTier(store.tiers, store.products, countingIds())({ productId: 'prod_1', id: 'pro' }, terms, aCall());
}

/**
 * Apps that start the trial of one device after another, four times at once, each time at another server, and then take a
 * seat of the license for it, or that of another device.
 */
export class TrialTraffic {
  /** The starts and ends of its trial that each device was given. */
  readonly times = new Map<string, Set<string>>();
  /** The signing keys of the receipts that they were given. */
  readonly kids = new Set<string>();
  /** The devices whose seat was acknowledged, and at no request before it was refused by a fault. */
  readonly seated = new Set<string>();
  readonly #urls: () => readonly string[];
  readonly #stop = new AbortController();
  /** The number of devices that are to have a seat. The apps wait a few devices after it. */
  #goal = 0;

  constructor(urls: () => readonly string[]) {
    this.#urls = urls;
  }

  /** Resolves when it has been stopped. */
  async run(): Promise<void> {
    await Promise.all(range(apps).map((app) => this.#runApp(app)));
  }

  /** Resolves when `devices` more devices have a seat. */
  async progress(devices: number): Promise<void> {
    this.#goal = this.seated.size + devices;
    while (this.seated.size < this.#goal) await pause(5);
  }

  stop(): void {
    this.#stop.abort();
  }

  async #runApp(app: number): Promise<void> {
    for (let turn = 0; !this.#stop.signal.aborted; turn += 1) {
      while (this.seated.size >= this.#goal + apps && !this.#stop.signal.aborted) await pause(5);
      const deviceId = `machine-${app}-${turn}`;
      const from = `198.${app}.${turn >> 8}.${turn & 255}`;
      await this.#start(deviceId, from);
      await this.#takeSeat(deviceId, from);
    }
  }

  async #start(deviceId: string, from: string): Promise<void> {
    const told = new Set<string>();
    this.times.set(deviceId, told);
    while (told.size === 0) {
      const start = { productId: 'prod_1', deviceId };
      const answers = await Promise.all(range(startsAtOnce).map((server) => this.#send('trial', start, from, server)));
      for (const { status, data } of answers) {
        if (status !== 200) continue;
        told.add(`${String(data['startedAt'])} to ${String(data['endsAt'])}`);
        this.kids.add(kidOf((data['receipt'] as { readonly receipt: string }).receipt));
      }
      if (told.size === 0) await pause(retryInterval);
    }
  }

  async #takeSeat(deviceId: string, from: string): Promise<void> {
    let hasFailed = false;
    let replace: unknown;
    for (let turn = 0; ; turn += 1) {
      const { status } = await this.#send('activate', { licenseKey: keys.licenseKey, deviceId, replace }, from, turn);
      if (status === 200 && !hasFailed) this.seated.add(deviceId);
      if (status === 200) return;
      if (status !== 409) {
        hasFailed = true;
        await pause(retryInterval);
      }
      const { data } = await this.#send('devices', { licenseKey: keys.licenseKey }, from, turn);
      const { devices = [] } = data as { readonly devices?: readonly { readonly device: string }[] };
      replace = devices[0]?.device;
    }
  }

  async #send(way: string, body: object, from: string, server: number): Promise<Answer> {
    const urls = this.#urls();
    try {
      const headers = { 'Content-Type': 'application/json', 'X-Forwarded-For': from };
      const url = `${urls[server % urls.length]}/api/licenses/${way}`;
      const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
      const { data } = (await answer.json()) as { readonly data?: Answer['data'] };
      return { status: answer.status, data: data ?? {} };
    } catch {
      return { status: 0, data: {} };
    }
  }
}

/** The start and end that each device was given, and those that are stored. */
export async function endsOf(
  store: OpenedStore,
  { times }: TrialTraffic,
): Promise<Readonly<Record<'told' | 'stored', readonly unknown[]>>> {
  const stored = await trialsIn(store, times.keys());
  return {
    told: [...times].map(([deviceId, told]) => [deviceId, [...told]]),
    stored: [...stored].map(([deviceId, trial]) => [deviceId, [timesOf(trial)]]),
  };
}

/** Which entitlement the trial of each device became. */
export async function conversions(store: OpenedStore, { times }: TrialTraffic): Promise<ReadonlyMap<string, unknown>> {
  const stored = await trialsIn(store, times.keys());
  return new Map([...stored].map(([deviceId, trial]) => [deviceId, trial?.converted?.entitlementId]));
}

/** The trials in a store, by device. */
async function trialsIn(
  store: OpenedStore,
  devices: Iterable<string>,
): Promise<ReadonlyMap<string, Trial | undefined>> {
  const all = { productId: 'prod_1', entitlementId: null, after: null, limit: 10_000 };
  const stored = new Map((await store.trials.page(all, aCall())).map((trial) => [trial.id, trial]));
  const found = [...devices].map((id) => [id, stored.get(trialOf('prod_1', id, digest))] as const);
  if (stored.size !== found.length) throw new Error(`${stored.size} trials are stored for ${found.length} devices`);
  return new Map(found);
}

function timesOf(trial: Trial | undefined): string {
  return `${trial?.startedAt.toISOString()} to ${trial?.endsAt.toISOString()}`;
}
