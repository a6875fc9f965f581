import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { digest } from '../../../adapters/crypto/node-secrets.ts';
import { publicPartOf } from '../../../adapters/crypto/signing.ts';
import { checkStore } from '../../../core/check/check-store.ts';
import { deviceOf } from '../../../core/device/device.ts';
import { aCall } from '../../support/builders.ts';
import { startServerProcess, type ServerProcess } from '../../support/processes/server-process.ts';
import { range } from '../../support/range.ts';
import { rounds } from '../../support/run/long-runs.ts';
import { eventsIn } from '../../support/stores/event-log.ts';
import { fillStore } from '../../support/stores/filled-store.ts';
import { durableStores, openAt, type OpenedStore, type StoreAddress } from '../../support/stores/stores.ts';

const kills = rounds(2, 20);
const apps = 6;
const licenseKey = 'a-license-key-of-a-buyer';
const keys = { appKey: 'svc_sk_live_of-the-crash-test', operatorKey: 'an-operator-key', licenseKey };
const ways = ['activate', 'deactivate'] as const;

for (const { name, address } of durableStores) {
  describe(`the devices of a license on ${name} whose server is killed ${kills} times`, () => {
    let at: StoreAddress;
    let store: OpenedStore;
    let server: ServerProcess | null = null;
    const stop = new AbortController();
    /** Whether each device has a seat, by what was acknowledged last. */
    const seats = new Map<string, boolean>();

    before(async () => {
      at = await address();
      await fillStore(at.url, keys, ['ent_1']);
      store = await openAt(at.url);
      server = await startServerProcess(at.url);
      const running = Promise.all(range(apps).map(runApp));
      for (const _ of range(kills)) {
        const goal = seats.size + 8;
        while (seats.size < goal) await pause(1);
        await pause(Math.random() * 20);
        await server.kill();
        server = await startServerProcess(at.url);
      }
      stop.abort();
      await running;
      await server.kill();
    });
    after(async () => {
      await server?.kill();
      await store.close();
      await at.remove();
    });

    /** Takes a seat for one new device after another, and releases every second one. Repeats what was not acknowledged. */
    async function runApp(app: number): Promise<void> {
      for (let turn = 0; !stop.signal.aborted; turn += 1) {
        const deviceId = `machine-${app}-${turn}`;
        for (const way of ways.slice(0, 1 + (turn % 2))) {
          while (!(await isDone(way, deviceId))) await pause(5);
          seats.set(deviceId, way === 'activate');
        }
      }
    }

    async function isDone(way: string, deviceId: string): Promise<boolean> {
      try {
        const headers = { 'Content-Type': 'application/json' };
        const body = JSON.stringify({ licenseKey, deviceId });
        const { status } = await fetch(`${server?.url}/api/licenses/${way}`, { method: 'POST', headers, body });
        return status === 200;
      } catch {
        return false;
      }
    }

    it('have each seat that was acknowledged, and none that was released', async () => {
      const listed = await store.devices.page('ent_1', { after: null, limit: 10_000 }, aCall());
      const seated = [...seats].filter(([, hasSeat]) => hasSeat).map(([id]) => deviceOf('ent_1', id, digest));
      expect(listed.map(({ id }) => id).toSorted()).to.deep.equal(seated.toSorted());
      const entitlement = await store.allEntitlements.find('ent_1', aCall());
      expect(entitlement?.devicesUsed).to.equal(seated.length);
    });

    it('have one event for each seat that was taken or released', async () => {
      const events = (await eventsIn(store)).map(({ event }) => `${event.type} ${event.device?.id ?? ''}`);
      const expected = [...seats].flatMap(([id, hasSeat]) => [
        `device.activated ${deviceOf('ent_1', id, digest)}`,
        ...(hasSeat ? [] : [`device.released ${deviceOf('ent_1', id, digest)}`]),
      ]);
      expect(events.toSorted()).to.deep.equal(expected.toSorted());
      const findings = await checkStore(store, digest, publicPartOf)(() => aCall());
      expect(findings.filter(({ ok }) => !ok)).to.deep.equal([]);
    });
  });
}
