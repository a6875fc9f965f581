import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { digest } from '../../adapters/crypto/node-secrets.ts';
import { publicPartOf } from '../../adapters/crypto/signing.ts';
import { checkStore } from '../../core/check/check-store.ts';
import { deviceOf } from '../../core/device/device.ts';
import { licenseDigest } from '../../core/license/license-key.ts';
import { aCall, aLicense, aSubscription, day, granted } from '../support/builders.ts';
import { startServerProcess, type ServerProcess } from '../support/processes/server-process.ts';
import { range } from '../support/range.ts';
import { rounds } from '../support/run/long-runs.ts';
import { eventsIn } from '../support/stores/event-log.ts';
import { durableStores, openAt, type OpenedStore, type StoreAddress } from '../support/stores/stores.ts';
import { getPage } from '../support/web/page-client.ts';
import { DeviceTraffic } from '../support/workload/buyers/device-traffic.ts';
import { buyers, LinkTraffic, makers } from '../support/workload/buyers/link-traffic.ts';
import {
  conversions,
  endsOf,
  fillTrialStore,
  keys,
  offerTrial,
  trialFlags,
  TrialTraffic,
} from '../support/workload/buyers/trial-traffic.ts';

const kills = rounds(2, 20);

/** Devices that start their trial, and get a seat, between two kills. */
const devices = 4;

/** The license whose devices come and go, of a tier without a limit of devices. */
const seats = { entitlementId: 'ent_seats', licenseKey: 'a-license-key-of-a-buyer-of-seats' };

/** The server that has not made the link of a try. */
const otherThan = (index: number): number => index + 1;

const idOf = (device: string): string => deviceOf(seats.entitlementId, device, digest);

for (const { name, address } of durableStores) {
  describe(`buyers of products on ${name}, whose two servers are killed in turn, ${kills} times in all`, () => {
    let at: StoreAddress;
    let store: OpenedStore;
    const servers: ServerProcess[] = [];
    const urls = (): readonly string[] => servers.map(({ url }) => url);
    const trials = new TrialTraffic(urls);
    let starting: Promise<unknown> = Promise.resolve();
    const seating = new DeviceTraffic(seats.licenseKey, urls, () => starting);
    const links = new LinkTraffic(keys.appKey, urls, () => starting);
    const all = [trials, seating, links];
    const start = (): Promise<ServerProcess> => startServerProcess(at.url, { flags: trialFlags });
    const restart = async (index: number): Promise<void> => {
      servers[index] = await start();
    };

    before(async () => {
      at = await address();
      await fillTrialStore(at.url, [...makers, ...buyers]);
      store = await openAt(at.url);
      await offerTrial(store);
      const license = aLicense({ digest: licenseDigest(seats.licenseKey, digest) });
      const end = new Date(Date.now() + 1000 * day);
      const ofSeats = { id: seats.entitlementId, tierId: 'team', currentPeriodEnd: end, graceUntil: end, license };
      await store.allEntitlements.add(granted([aSubscription(ofSeats)]), aCall());
      servers.push(...(await Promise.all([start(), start()])));
      const running = Promise.all(all.map((traffic) => traffic.run()));
      const progress = (): Promise<unknown> =>
        Promise.race([Promise.all([trials.progress(devices), seating.progress(devices)]), running]);
      for (const turn of range(kills)) {
        const killed = turn % 2;
        await progress();
        await Promise.race([links.isAsking(killed), running]);
        await pause(Math.random() * 5);
        await servers[killed]?.kill();
        await (starting = restart(killed));
      }
      await progress();
      await Promise.race([links.madeEnough(), running]);
      for (const traffic of all) traffic.stop();
      await running;
    });
    after(async () => {
      await Promise.all(servers.map((server) => server.kill()));
      await store.close();
      await at.remove();
    });

    it('leave a store in order', async () => {
      const findings = await checkStore(store, digest, publicPartOf)(() => aCall());
      expect(findings.filter(({ ok }) => !ok)).to.deep.equal([]);
    });

    it('get receipts by the signing keys that one of both servers has made when both started for the first time', async () => {
      const ring = await store.signingKeys.read(aCall());
      expect(ring?.revision).to.equal(1);
      expect([...trials.kids]).to.deep.equal([ring?.active.kid]);
    });

    describe('and their trials', () => {
      it('have one start and one end each, which are stored', async () => {
        const { told, stored } = await endsOf(store, trials);
        expect(told).to.deep.equal(stored);
      });

      it('are converted where the seat was acknowledged, however many devices replace each other', async () => {
        const becameOf = await conversions(store, trials);
        const converted = [...trials.seated].map((deviceId) => becameOf.get(deviceId));
        expect(converted).to.deep.equal(converted.map(() => 'ent_1'));
        expect(converted.length).to.be.at.least(devices * (kills + 1));
      });
    });

    describe('and the devices of a license', () => {
      it('have each seat that was acknowledged, and none that was released', async () => {
        const listed = await store.devices.page(seats.entitlementId, { after: null, limit: 10_000 }, aCall());
        const seated = [...seating.seats].filter(([, hasSeat]) => hasSeat).map(([device]) => idOf(device));
        expect(listed.map(({ id }) => id).toSorted()).to.deep.equal(seated.toSorted());
        const entitlement = await store.allEntitlements.find(seats.entitlementId, aCall());
        expect(entitlement?.devicesUsed).to.equal(seated.length);
      });

      it('have one event for each seat that was taken or released', async () => {
        const own = (await eventsIn(store)).filter(({ event }) => event.entitlement.id === seats.entitlementId);
        const events = own.map(({ event }) => `${event.type} ${event.device?.id ?? ''}`);
        const expected = [...seating.seats].flatMap(([device, hasSeat]) => [
          `device.activated ${idOf(device)}`,
          ...(hasSeat ? [] : [`device.released ${idOf(device)}`]),
        ]);
        expect(events.toSorted()).to.deep.equal(expected.toSorted());
      });
    });

    describe('and their links', () => {
      it('make each change once, whatever a kill has cut, and show one key for it', async () => {
        expect(links.surprises).to.deep.equal([]);
        const events = (await eventsIn(store)).map(({ event }) => event);
        for (const id of buyers) {
          const { count, key } = links.done.get(id) ?? { count: 0, key: null };
          const types = events.filter(({ entitlement }) => entitlement.id === id).map(({ type }) => type);
          expect(types, id).to.deep.equal(LinkTraffic.eventsOf(count));
          const { license, version } = (await store.allEntitlements.find(id, aCall())) ?? {};
          expect(version).to.equal(1 + count);
          if (key !== null) expect(license?.digest).to.equal(licenseDigest(key, digest));
        }
      });

      it('open at the other server as long as they are not among the oldest of over 20', async () => {
        for (const [id, tries] of links.made) {
          expect(tries.filter((token) => token !== null).length, id).to.be.above(kills);
          // Those that a kill has cut count, or do not.
          for (const [index, token] of tries.entries()) {
            if (token === null || index < tries.length - 15) continue;
            expect((await getPage(links.urlOf(otherThan(index), `/license/links/${token}`))).status).to.equal(200);
          }
          const acknowledged = tries.filter((token) => token !== null);
          for (const token of acknowledged.slice(0, -20)) {
            expect(await store.buyerLinks.find(digest(token), aCall())).to.equal(null);
          }
        }
      });
    });
  });
}
