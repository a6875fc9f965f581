import { expect } from 'chai';
import { addInterval } from '../../../adapters/calendar/utc-calendar.ts';
import { digest } from '../../../adapters/crypto/node-secrets.ts';
import { deviceOf, type Device } from '../../../core/device/device.ts';
import { deactivateDevice, listLicenseDevices } from '../../../core/device/license-devices.ts';
import { clearDevices, listDevices, releaseDevice } from '../../../core/device/manage-devices.ts';
import type { SeatSettings } from '../../../core/device/seats.ts';
import { takeSeat, type SeatParts } from '../../../core/device/take-seat.ts';
import { applyDecision, runEntitlementCommand } from '../../../core/entitlement/administration/apply-decision.ts';
import type { EntitlementCommand } from '../../../core/entitlement/entitlement-command.ts';
import type { Entitlement } from '../../../core/entitlement/entitlement.ts';
import { activateDevice } from '../../../core/receipt/activate-device.ts';
import { Refusal } from '../../../core/refusal.ts';
import type { StorePorts } from '../../../core/store/store.port.ts';
import { readTiers } from '../../../core/tier/allowance.ts';
import { convertTrial } from '../../../core/trial/convert-trial.ts';
import { aCall, aLicense, aSubscription, day, granted, later } from '../../support/builders.ts';
import { countingIds } from '../../support/random-entitlements.ts';
import { range } from '../../support/range.ts';
import { eventsIn } from '../../support/stores/event-log.ts';
import { beside, freshStore, type OpenStore } from '../../support/stores/stores.ts';

const tierChange = {
  kind: 'change-tier',
  tierId: 'pro',
  billingInterval: null,
  billingIntervalCount: null,
  currentPeriodEnd: null,
  grace: null,
} as const;
const licenseKey = 'LK-AAAAA-BBBBB-CCCCC-DDDDD-EEEEE';
const settings: SeatSettings = { idle: 90 * day, releases: 4 };
const lasting = { currentPeriodEnd: later(900 * day), graceUntil: later(901 * day) };

/** The contract of `Devices`, and of the use cases that give seats over it. */
export function devicesContract(open: OpenStore): void {
  describe('Devices', () => {
    const store = freshStore(open);
    const add = (overrides: Partial<Entitlement> = {}): Promise<unknown> => {
      const license = aLicense({ digest: digest(licenseKey) });
      const own = aSubscription({ ...lasting, license, ...(overrides as Partial<ReturnType<typeof aSubscription>>) });
      return store().allEntitlements.add(granted([own]), aCall());
    };
    const entitlement = async (): Promise<Entitlement> => {
      const found = await store().allEntitlements.find('ent_1', aCall());
      if (found === null) throw new Error('the entitlement is gone');
      return found;
    };
    const devices = async (): Promise<readonly Device[]> =>
      store().devices.page('ent_1', { after: null, limit: 10_000 }, aCall());
    const putDevices = async (put: readonly Device[]): Promise<void> => {
      const seen = await entitlement();
      const next = { ...seen, devicesUsed: seen.devicesUsed + put.length, revision: seen.revision + 1 };
      const outcome = await store().devices.replace(seen, next, { gone: [], put, events: [] }, aCall());
      expect(outcome.kind).to.equal('replaced');
    };

    it('stores each member of a device and counts it, with an event that shows the count', async () => {
      await add({ deviceLimit: 3 });
      const { activate } = useCases(store());
      const taken = await activate('machine-1', { name: 'Ada’s Mac', at: 5 });
      const device = {
        id: deviceOf('ent_1', 'machine-1', digest),
        name: 'Ada’s Mac',
        activatedAt: later(5),
        seenAt: later(5),
        offlineUntil: null,
      };
      expect([taken.kind, taken.device]).to.deep.equal(['activated', device]);
      expect(await store().devices.find('ent_1', device.id, aCall())).to.deep.equal(device);
      const { devicesUsed, version, revision, sequence } = await entitlement();
      expect({ devicesUsed, version, revision, sequence }).to.deep.equal({
        devicesUsed: 1,
        version: 1,
        revision: 2,
        sequence: 1,
      });
      await store().settle();
      const [placed] = await eventsIn(store(), 'prod_1');
      expect(placed?.event).to.include({ type: 'device.activated', sequence: 1, by: 'license' });
      expect(placed?.event.device).to.deep.equal({ id: device.id, reason: null });
      expect(placed?.event.entitlement).to.include({ deviceLimit: 3, devicesUsed: 1, version: 1 });
      expect(await store().entitlementHistory.list('ent_1', aCall())).to.have.length(1);
    });

    it('gives one seat to one device that asks 16 times at once, and one event', async () => {
      await add({ deviceLimit: 1 });
      const kinds = await beside(store(), async (other) =>
        Promise.all(range(16).map((n) => useCases(n % 2 === 0 ? store() : other).activate('machine-1'))),
      );
      expect(kinds.filter(({ kind }) => kind === 'activated')).to.have.length(1);
      await store().settle();
      expect(await eventsIn(store(), 'prod_1')).to.have.length(1);
      expect([(await entitlement()).devicesUsed, (await devices()).length]).to.deep.equal([1, 1]);
    });

    it('gives five seats to 16 devices that ask at once, and the same ones when they ask again', async () => {
      await add({ deviceLimit: 5 });
      const askAll = (): Promise<readonly string[]> =>
        beside(store(), (other) =>
          Promise.all(
            range(16).map((n) => outcomeOf(useCases(n % 2 === 0 ? store() : other).activate(`machine-${n}`))),
          ),
        );
      const first = await askAll();
      expect(first.filter((outcome) => outcome === 'activated')).to.have.length(5);
      expect(first.filter((outcome) => outcome === 'device_limit')).to.have.length(11);
      const again = first.map((outcome) => (outcome === 'activated' ? 'present' : outcome));
      expect(await askAll()).to.deep.equal(again);
      await store().settle();
      expect(await eventsIn(store(), 'prod_1')).to.have.length(5);
      expect([(await entitlement()).devicesUsed, (await devices()).length]).to.deep.equal([5, 5]);
    });

    it('lets one of 16 devices replace another, and a repeat releases nobody else', async () => {
      await add({ deviceLimit: 2 });
      const { activate } = useCases(store());
      const { device: old } = await activate('machine-old');
      await activate('machine-other', { at: 1 });
      const outcomes = await Promise.all(
        range(16).map((n) => outcomeOf(activate(`machine-${n}`, { replace: old.id, at: 2 }))),
      );
      expect(outcomes.toSorted()).to.deep.equal(['activated', ...range(15).map(() => 'device_limit')]);
      const winner = `machine-${outcomes.indexOf('activated')}`;
      expect(await outcomeOf(activate(winner, { replace: old.id, at: 3 }))).to.equal('present');
      const ids = new Set((await devices()).map(({ id }) => id));
      expect(ids).to.deep.equal(new Set(['machine-other', winner].map((id) => deviceOf('ent_1', id, digest))));
      await store().settle();
      const events = (await eventsIn(store(), 'prod_1')).map(({ event }) => [
        event.type,
        event.device?.reason,
        event.entitlement.devicesUsed,
      ]);
      expect(events.slice(2)).to.deep.equal([
        ['device.released', 'replaced', 1],
        ['device.activated', null, 2],
      ]);
    });

    it('keeps count and list beside changes of the tier and cancellations', async () => {
      await add({ deviceLimit: 10 });
      const { activate } = useCases(store());
      const { command } = useCases(store());
      await Promise.all(
        range(10).flatMap((n): Promise<unknown>[] => [
          activate(`machine-${n}`, { at: n }),
          command({ ...tierChange, tierName: `Pro ${n}` }),
          command({ kind: n % 2 === 0 ? 'cancel' : 'resume' }),
        ]),
      );
      const { devicesUsed, revision, version, sequence } = await entitlement();
      expect([devicesUsed, (await devices()).length]).to.deep.equal([10, 10]);
      expect([revision, sequence]).to.deep.equal([10 + version, 10 + version - 1]);
    });

    it('releases for an app as often as the allowance says, which refills evenly', async () => {
      await add({ deviceLimit: 1 });
      const { activate, deactivate } = useCases(store());
      const swap = async (n: number, at: number): Promise<string> => {
        await activate(`machine-${n}`, { at });
        return outcomeOf(deactivate(`machine-${n}`, at));
      };
      const outcomes: string[] = [];
      for (const n of range(5)) outcomes.push(await swap(n, n));
      expect(outcomes).to.deep.equal(['released', 'released', 'released', 'released', 'too_many_releases']);
      expect(await outcomeOf(deactivate('machine-4', 7.5 * day))).to.equal('released');
      expect(await swap(5, 7.5 * day + 1)).to.equal('too_many_releases');
      expect((await entitlement()).devicesUsed).to.equal(1);
    });

    it('takes the seat of an idle device, the one that was unseen for longest, without the allowance', async () => {
      await add({ deviceLimit: 2 });
      const { activate } = useCases(store(), { ...settings, releases: 0 });
      await activate('machine-1', { at: 0 });
      await activate('machine-2', { at: 1 });
      await activate('machine-1', { at: 2 * day });
      expect(await outcomeOf(activate('machine-3', { at: 90 * day }))).to.equal('device_limit');
      expect(await outcomeOf(activate('machine-3', { at: 90 * day + 1 }))).to.equal('activated');
      const ids = (await devices()).map(({ id }) => id);
      expect(ids).to.deep.equal(['machine-1', 'machine-3'].map((id) => deviceOf('ent_1', id, digest)));
      await store().settle();
      const reasons = (await eventsIn(store(), 'prod_1')).map(({ event }) => event.device?.reason);
      expect(reasons).to.deep.equal([null, null, 'idle', null]);
    });

    it('takes the seat of an idle device behind devices that have offline receipts', async () => {
      await add({ deviceLimit: 252 });
      const { activate } = useCases(store());
      const offlineUntil = later(400 * day);
      await putDevices(range(250).map((n) => aDevice(`offline-${n}`, { offlineUntil })));
      await activate('machine-1', { at: 1 });
      await activate('machine-2', { at: 2 });
      const hasSeat = async (name: string): Promise<boolean> =>
        (await store().devices.find('ent_1', deviceOf('ent_1', name, digest), aCall())) !== null;
      expect(await outcomeOf(activate('machine-3', { at: 90 * day }))).to.equal('device_limit');
      expect(await outcomeOf(activate('machine-3', { at: 90 * day + 1 }))).to.equal('activated');
      expect(await Promise.all(['machine-1', 'machine-2', 'machine-3'].map(hasSeat))).to.deep.equal([
        false,
        true,
        true,
      ]);
      await activate('machine-2', { at: 91 * day });
      expect(await outcomeOf(activate('machine-4', { at: 92 * day }))).to.equal('device_limit');
      expect((await entitlement()).devicesUsed).to.equal(252);
    });

    it('notes that a device was seen once a day at most, and never earlier than it was', async () => {
      await add();
      const { activate } = useCases(store());
      const { device } = await activate('machine-1', { name: 'Mac', at: 0 });
      const seen = async (at: number): Promise<number> => {
        await activate('machine-1', { at });
        const found = await store().devices.find('ent_1', device.id, aCall());
        return (found?.seenAt.getTime() ?? 0) - later(0).getTime();
      };
      expect([await seen(day - 1), await seen(day), await seen(2 * day - 1)]).to.deep.equal([0, day, day]);
      await store().devices.note('ent_1', { id: device.id, name: 'Old', seenAt: later(5) }, aCall());
      const found = await store().devices.find('ent_1', device.id, aCall());
      expect([found?.seenAt, found?.name]).to.deep.equal([later(day), 'Mac']);
      expect((await entitlement()).revision).to.equal(2);
    });

    it('lets only operators release a device that has an offline receipt', async () => {
      await add({ deviceLimit: 1 });
      const { activate, deactivate, release } = useCases(store());
      const { device } = await activate('machine-1', { offlineUntil: later(400 * day) });
      expect(await outcomeOf(activate('machine-1', { offlineUntil: later(300 * day), at: 1 }))).to.equal('present');
      expect((await store().devices.find('ent_1', device.id, aCall()))?.offlineUntil).to.deep.equal(later(400 * day));
      const refused = [
        outcomeOf(deactivate('machine-1', 2)),
        outcomeOf(activate('machine-2', { replace: device.id, at: 2 })),
        outcomeOf(activate('machine-2', { at: 399 * day })),
      ];
      expect(await Promise.all(refused)).to.deep.equal(['device_offline', 'device_offline', 'device_limit']);
      expect((await release('ent_1', device.id, aCall({ by: 'command:ada' }))).released).to.equal(1);
      expect((await release('ent_1', device.id, aCall({ by: 'command:ada' }))).released).to.equal(0);
      expect([(await entitlement()).devicesUsed, await devices()]).to.deep.equal([0, []]);
    });

    it('adds nothing while more seats are used than the limit allows, and takes nobody’s', async () => {
      await add({ deviceLimit: 3 });
      const { activate } = useCases(store());
      const taken = [];
      for (const n of range(3)) taken.push(await activate(`machine-${n}`, { at: n }));
      await useCases(store()).command({ kind: 'allow', deviceLimit: 1 });
      const replace = taken[0]?.device.id ?? '';
      expect(await outcomeOf(activate('machine-9', { replace, at: 4 }))).to.equal('device_limit');
      expect(await outcomeOf(activate('machine-2', { at: 4 }))).to.equal('present');
      expect((await devices()).length).to.equal(3);
    });

    it('clears hundreds of seats, lists them page by page and counts them', async () => {
      await add();
      const all = range(350).map((n) => aDevice(`machine-${n}`, { seenAt: later(n % 50) }));
      await putDevices(all);
      const { list, clear } = useCases(store());
      const listed = (await list('ent_1', aCall())).devices;
      expect(listed.map(({ seenAt }) => seenAt.getTime())).to.deep.equal(
        listed.map(({ seenAt }) => seenAt.getTime()).toSorted((a, b) => a - b),
      );
      expect(new Set(listed.map(({ id }) => id)).size).to.equal(350);
      expect(await store().devices.counts(['ent_1', 'ent_2'], aCall())).to.deep.equal(
        new Map([
          ['ent_1', 350],
          ['ent_2', 0],
        ]),
      );
      expect((await clear('ent_1', aCall({ by: 'command:ada' }))).released).to.equal(350);
      expect([(await entitlement()).devicesUsed, await devices()]).to.deep.equal([0, []]);
    });

    it('gives no seat for an unknown, a revoked and another product’s key, nor without access', async () => {
      await add({ productId: 'prod_1' });
      const { activate } = useCases(store());
      expect(await outcomeOf(activate('machine-1', { productId: 'prod_2' }))).to.equal('license_not_found');
      expect(await outcomeOf(activate('machine-1', { key: 'x'.repeat(30) }))).to.equal('license_not_found');
      expect(await outcomeOf(activate('machine-1', { key: 'short' }))).to.equal('malformed_license_key');
      expect(await outcomeOf(activate('machine-1', { at: 902 * day }))).to.equal('no_access');
      expect(await devices()).to.deep.equal([]);
    });
  });
}

function aDevice(deviceId: string, overrides: Partial<Device>): Device {
  const id = deviceOf('ent_1', deviceId, digest);
  const seenAt = overrides.seenAt ?? later(0);
  return { id, name: null, activatedAt: seenAt, seenAt, offlineUntil: null, ...overrides };
}

interface Activation {
  readonly name?: string;
  readonly replace?: string;
  readonly at?: number;
  readonly key?: string;
  readonly productId?: string;
  readonly offlineUntil?: Date;
}

function useCases(ports: StorePorts, own: SeatSettings = settings) {
  const { devices, licenses, allEntitlements: entitlements } = ports;
  const newEventId = countingIds();
  const knownTiers = readTiers(ports.tiers);
  const recording = { newEventId, endingSoon: 0, knownTiers };
  const parts: SeatParts = { devices, digest, trustsClock: () => true, settings: own, ...recording };
  const take = takeSeat(parts);
  const activate = activateDevice(licenses, digest, take, null, convertTrial(ports.trials, digest));
  const deactivate = deactivateDevice(licenses, parts);
  const managing = { devices, entitlements, ...recording };
  return {
    activate: (
      deviceId: string,
      { name, replace, at = 0, key = licenseKey, productId, offlineUntil }: Activation = {},
    ) => {
      const call = aCall({ now: later(at), by: 'public' });
      if (offlineUntil !== undefined) {
        const read = async (): Promise<Entitlement> => {
          const found = await entitlements.find('ent_1', call);
          if (found === null) throw new Refusal('entitlement_not_found');
          return found;
        };
        return take(read, { deviceId, name: name ?? null, replace: null, offlineUntil }, call);
      }
      const holder = { licenseKey: key, productId: productId ?? null };
      return activate(
        { ...holder, deviceId, deviceName: name ?? null, replace: replace ?? null, issuer: 'http://127.0.0.1' },
        call,
      );
    },
    deactivate: async (deviceId: string, at: number) => {
      const call = aCall({ now: later(at), by: 'public' });
      const { device } = await deactivate({ licenseKey, productId: null, device: { deviceId } }, call);
      return { kind: 'released', device } as const;
    },
    listHeld: listLicenseDevices(licenses, parts),
    list: listDevices(managing),
    release: releaseDevice(managing),
    clear: clearDevices(managing),
    command: (command: EntitlementCommand) =>
      runEntitlementCommand(applyDecision(entitlements, newEventId), addInterval, async () => () => false)(
        'ent_1',
        command,
        aCall(),
      ),
  };
}

async function outcomeOf(attempt: Promise<{ readonly kind: string }>): Promise<string> {
  try {
    return (await attempt).kind;
  } catch (error) {
    if (error instanceof Refusal) return error.code;
    throw error;
  }
}
