import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { digest } from '../../../adapters/crypto/node-secrets.ts';
import { putTier } from '../../../core/tier/manage-tiers.ts';
import { termsOf } from '../../../core/tier/tier.ts';
import { trialOf, type Trial } from '../../../core/trial/trial.ts';
import { aCall, day } from '../../support/builders.ts';
import { startServerProcess, type ServerProcess } from '../../support/processes/server-process.ts';
import { countingIds } from '../../support/random-entitlements.ts';
import { range } from '../../support/range.ts';
import { rounds } from '../../support/run/long-runs.ts';
import { fillStore } from '../../support/stores/filled-store.ts';
import { durableStores, openAt, type OpenedStore, type StoreAddress } from '../../support/stores/stores.ts';

const kills = rounds(1, 20);
const apps = 3;
const licenseKey = 'a-license-key-of-a-buyer';
const keys = { appKey: 'svc_sk_live_of-the-crash-test', operatorKey: 'an-operator-key', licenseKey };
/** Each device has an address of its own, so that no limit counts them together. */
const flags = ['--trusted-proxies', 'loopback', '--device-releases', '1000'];

interface Answer {
  /** 0 for none. */
  readonly status: number;
  readonly data: Readonly<Record<string, unknown>>;
}

for (const { name, address } of durableStores) {
  describe(`trials on ${name}, asked of two servers of which one is killed`, () => {
    let at: StoreAddress;
    let store: OpenedStore;
    let servers: ServerProcess[] = [];
    const stop = new AbortController();
    /** The start and the end that each device was told, and the devices whose seat was acknowledged at the first request. */
    const times = new Map<string, Set<unknown>>();
    const seated = new Set<string>();
    /** How many have a seat before the next kill. The apps wait a few devices after it. */
    let goal = 0;

    before(async () => {
      at = await address();
      await fillStore(at.url, keys, ['ent_1']);
      store = await openAt(at.url);
      const terms = termsOf({ deviceLimit: 2, trial: 14 * day });
      await putTier(store.tiers, store.products, countingIds())({ productId: 'prod_1', id: 'pro' }, terms, aCall());
      servers = await Promise.all(range(2).map(() => startServerProcess(at.url, { flags })));
      const running = Promise.all(range(apps).map(runApp));
      for (const kill of range(kills)) {
        goal = seated.size + 8;
        while (seated.size < goal) await pause(1);
        await pause(Math.random() * 20);
        await servers[kill % 2]?.kill();
        servers[kill % 2] = await startServerProcess(at.url, { flags });
      }
      stop.abort();
      await running;
    });
    after(async () => {
      await Promise.all(servers.map((server) => server.kill()));
      await store.close();
      await at.remove();
    });

    async function send(way: string, body: object, from: string, server: number): Promise<Answer> {
      try {
        const headers = { 'Content-Type': 'application/json', 'X-Forwarded-For': from };
        const url = `${servers[server % 2]?.url}/api/licenses/${way}`;
        const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
        const { data } = (await answer.json()) as { readonly data?: Answer['data'] };
        return { status: answer.status, data: data ?? {} };
      } catch {
        return { status: 0, data: {} };
      }
    }

    /** Starts the trial of one device after another, ten times at once, and then takes a seat for it, or that of another. */
    async function runApp(app: number): Promise<void> {
      for (let turn = 0; !stop.signal.aborted; turn += 1) {
        while (seated.size >= goal + apps && !stop.signal.aborted) await pause(5);
        const deviceId = `machine-${app}-${turn}`;
        const from = `192.0.2.${app}:${turn}`;
        const told = new Set<unknown>();
        times.set(deviceId, told);
        while (told.size === 0) {
          const start = { productId: 'prod_1', deviceId };
          const answers = await Promise.all(range(10).map((server) => send('trial', start, from, server)));
          for (const { status, data } of answers)
            if (status === 200) told.add(`${String(data['startedAt'])} to ${String(data['endsAt'])}`);
        }
        await takeSeat(deviceId, from);
      }
    }

    async function takeSeat(deviceId: string, from: string): Promise<void> {
      let hasFailed = false;
      let replace: unknown;
      for (let turn = 0; ; turn += 1) {
        const { status } = await send('activate', { licenseKey, deviceId, replace }, from, turn);
        if (status === 200 && !hasFailed) seated.add(deviceId);
        if (status === 200) return;
        hasFailed ||= status !== 409;
        const { data } = await send('devices', { licenseKey }, from, turn);
        const { devices = [] } = data as { readonly devices?: readonly { readonly device: string }[] };
        replace = devices[0]?.device;
      }
    }

    const trials = async (): Promise<ReadonlyMap<string, Trial>> => {
      const all = { productId: 'prod_1', entitlementId: null, after: null, limit: 10_000 };
      const stored = await store.trials.page(all, aCall());
      return new Map(stored.map((trial) => [trial.id, trial]));
    };

    it('have one start and one end each, which are stored', async () => {
      const stored = await trials();
      const expected = [...times.keys()].map((deviceId) => {
        const { startedAt, endsAt } = stored.get(trialOf('prod_1', deviceId, digest)) ?? {};
        return [deviceId, [`${startedAt?.toISOString()} to ${endsAt?.toISOString()}`]];
      });
      expect([...times].map(([deviceId, told]) => [deviceId, [...told]])).to.deep.equal(expected);
      expect(stored.size).to.equal(times.size);
    });

    it('are converted where the seat was acknowledged, however many devices replace each other', async () => {
      const stored = await trials();
      const converted = [...seated].map((id) => stored.get(trialOf('prod_1', id, digest))?.converted?.entitlementId);
      expect(converted).to.deep.equal(converted.map(() => 'ent_1'));
      expect(seated.size).to.be.at.least(8 * kills);
    });
  });
}
