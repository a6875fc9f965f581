import { expect } from 'chai';
import { digest } from '../../../adapters/crypto/node-secrets.ts';
import { deviceOf, type Device } from '../../../core/device/device.ts';
import { deactivateDevice, listLicenseDevices, releaseSeat } from '../../../core/device/license-devices.ts';
import { clearDevices, findDevice, listDevices, releaseDevice } from '../../../core/device/manage-devices.ts';
import { takeSeat, type SeatParts, type SeatRequest } from '../../../core/device/take-seat.ts';
import { existing } from '../../../core/entitlement/administration/show-entitlement.ts';
import type { Entitlement } from '../../../core/entitlement/entitlement.ts';
import { tierTable } from '../../../core/tier/allowance.ts';
import { aCall, aLicense, aSubscription, day, granted, later, noon } from '../../support/builders.ts';
import { countingIds } from '../../support/random-entitlements.ts';
import { range } from '../../support/range.ts';
import { eventsIn } from '../../support/stores/event-log.ts';
import { interposed } from '../../support/stores/interposed.ts';
import { freshStore, memory } from '../../support/stores/stores.ts';
import { refusalOf } from '../../support/thrown.ts';

const licenseKey = 'LK-AAAAA-BBBBB-CCCCC-DDDDD-EEEEE';
const holder = { licenseKey, productId: null };
const operator = { by: 'command:ada' } as const;

/** The id of the device that its app calls so. */
function known(name: string): string {
  return deviceOf('ent_1', name, digest);
}

const codeOf = async (work: Promise<unknown>) => (await refusalOf(work)).code;

const aDevice = (name: string, seenAt = noon, offlineUntil: Date | null = null): Device => ({
  id: known(name),
  name: null,
  activatedAt: seenAt,
  seenAt,
  offlineUntil,
});

describe('the seats of an entitlement', () => {
  const store = freshStore(memory.open);
  let parts: SeatParts;
  let isTrusted: boolean;

  beforeEach(async () => {
    isTrusted = true;
    const terms = { deviceLimit: 2, features: { sso: true }, trial: null };
    const table = tierTable([{ productId: 'prod_1', id: 'pro', terms, revision: 4 }]);
    parts = {
      devices: store().devices,
      digest,
      trustsClock: () => isTrusted,
      newEventId: countingIds(),
      settings: { idle: 90 * day, releases: 4 },
      endingSoon: 0,
      knownTiers: async () => table,
    };
  });

  const add = (overrides: { readonly devicesUsed?: number; readonly deviceLimit?: number } = {}) => {
    const lasting = { currentPeriodEnd: later(900 * day), graceUntil: later(901 * day) };
    const license = aLicense({ digest: digest(licenseKey) });
    return store().allEntitlements.add(granted([aSubscription({ ...lasting, license, ...overrides })]), aCall());
  };
  const read = (): Promise<Entitlement> => existing(store().allEntitlements, 'ent_1', aCall());
  const listed = (): Promise<readonly Device[]> =>
    store().devices.page('ent_1', { after: null, limit: 10_000 }, aCall());
  const found = (name: string): Promise<Device | null> => store().devices.find('ent_1', known(name), aCall());
  const take = (deviceId: string, at = 0, request: Partial<SeatRequest> = {}) =>
    takeSeat(parts)(
      read,
      { deviceId, name: null, replace: null, offlineUntil: null, ...request },
      aCall({ now: later(at), by: 'public' }),
    );
  const deactivate = (name: string, at = 0) =>
    deactivateDevice(store().licenses, parts)({ ...holder, device: { deviceId: name } }, aCall({ now: later(at) }));
  const managing = () => ({ ...parts, entitlements: store().allEntitlements });
  /** Puts devices there, as if each had been given its seat. */
  const place = async (put: readonly Device[]) => {
    const seen = await read();
    const next = { ...seen, devicesUsed: seen.devicesUsed + put.length, revision: seen.revision + 1 };
    await store().devices.replace(seen, next, { gone: [], put, events: [] }, aCall());
  };

  it('are as many as the tier allows, and a device keeps the one that it has', async () => {
    await add();
    const first = await take('machine-1', 0, { name: 'Mac' });
    const device = { ...aDevice('machine-1'), name: 'Mac' };
    expect(first).to.deep.include({ kind: 'activated', isNoted: true, device });
    expect(first.allowance).to.deep.equal({ deviceLimit: 2, features: { sso: true }, tierRevision: 4 });
    expect(first.entitlement).to.include({ devicesUsed: 1, sequence: 1, releasesUntil: null });
    expect((await take('machine-2', 1)).entitlement.devicesUsed).to.equal(2);
    expect(await codeOf(take('machine-3', 2))).to.equal('device_limit');
    expect(await take('machine-1', 2)).to.deep.include({ kind: 'present', isNoted: false, device });
    expect((await listed()).map(({ id }) => id)).to.deep.equal(['machine-1', 'machine-2'].map(known));
    const events = await eventsIn(store());
    expect(events.map(({ event }) => [event.type, event.device, event.entitlement.deviceLimit])).to.deep.equal([
      ['device.activated', { id: known('machine-1'), reason: null }, 2],
      ['device.activated', { id: known('machine-2'), reason: null }, 2],
    ]);
  });

  it('are given as long as there is access', async () => {
    await add();
    expect((await take('machine-1', 901 * day - 1)).kind).to.equal('activated');
    expect(await codeOf(take('machine-1', 901 * day))).to.equal('no_access');
    expect(await codeOf(take('machine-2', 901 * day))).to.equal('no_access');
  });

  it('keep the name of a device until it has another one', async () => {
    await add();
    await take('machine-1', 0, { name: 'Mac' });
    for (const name of [null, '']) {
      expect((await take('machine-1', 1, { name })).device.name).to.equal('Mac');
      expect(await found('machine-1')).to.include({ name: 'Mac' });
    }
    expect(await take('machine-1', 2, { name: 'Studio' })).to.deep.include({
      device: { ...aDevice('machine-1'), name: 'Studio' },
      isNoted: false,
    });
    expect(await found('machine-1')).to.deep.equal({ ...aDevice('machine-1'), name: 'Studio' });
    expect((await take('machine-2', 0, { name: '' })).device.name).to.equal(null);
  });

  it('note the use of a device once a day, without a change of the entitlement', async () => {
    await add();
    await take('machine-1');
    const { revision } = await read();
    expect((await take('machine-1', day - 1)).isNoted).to.equal(false);
    expect(await found('machine-1')).to.deep.equal(aDevice('machine-1'));
    expect(await take('machine-1', day)).to.deep.include({ kind: 'present', isNoted: true });
    expect(await found('machine-1')).to.deep.include({ activatedAt: noon, seenAt: later(day) });
    expect((await take('machine-1', 2 * day - 1)).isNoted).to.equal(false);
    expect((await read()).revision).to.equal(revision);
  });

  it('keep the latest end of the offline receipts of a device, and note its use with each', async () => {
    await add();
    expect((await take('machine-1', 0, { offlineUntil: later(5 * day) })).device.offlineUntil).to.deep.equal(
      later(5 * day),
    );
    const { revision } = await read();
    const longer = await take('machine-1', 7, { offlineUntil: later(9 * day) });
    expect(longer).to.deep.include({ kind: 'present', isNoted: true });
    expect(longer.entitlement.revision).to.equal(revision + 1);
    const kept = { ...aDevice('machine-1'), seenAt: later(7), offlineUntil: later(9 * day) };
    expect(await found('machine-1')).to.deep.equal(kept);
    for (const offlineUntil of [null, later(8 * day), later(9 * day)]) {
      const { device, isNoted } = await take('machine-1', 8, { offlineUntil });
      expect([device, isNoted]).to.deep.equal([kept, false]);
    }
    expect([await found('machine-1'), (await read()).revision]).to.deep.equal([kept, revision + 1]);
    await take('machine-2');
    await take('machine-2', 1, { offlineUntil: later(day) });
    expect(await found('machine-2')).to.deep.include({ offlineUntil: later(day) });
  });

  it('go from the idle device that was unseen for longest to another one, if the clock is trusted', async () => {
    await add();
    await take('machine-1');
    await take('machine-2', 1);
    expect(await codeOf(take('machine-3', 90 * day - 1))).to.equal('device_limit');
    isTrusted = false;
    expect(await codeOf(take('machine-3', 90 * day))).to.equal('device_limit');
    isTrusted = true;
    const taken = await take('machine-3', 90 * day);
    expect(taken.entitlement).to.include({ devicesUsed: 2, releasesUntil: null });
    expect((await listed()).map(({ id }) => id)).to.deep.equal(['machine-2', 'machine-3'].map(known));
    const events = (await eventsIn(store())).slice(2);
    expect(events.map(({ event }) => [event.type, event.device])).to.deep.equal([
      ['device.released', { id: known('machine-1'), reason: 'idle' }],
      ['device.activated', { id: known('machine-3'), reason: null }],
    ]);
  });

  it('are not those of idle devices that have offline receipts', async () => {
    await add({ deviceLimit: 103 });
    const offline = range(101).map((number) => aDevice(`offline-${number}`, noon, later(400 * day)));
    await place([...offline, aDevice('machine-1', later(1)), aDevice('machine-2', later(2))]);
    expect(await codeOf(take('machine-3', 90 * day))).to.equal('device_limit');
    await take('machine-3', 90 * day + 1);
    expect([await found('machine-1'), (await found('machine-2'))?.seenAt]).to.deep.equal([null, later(2)]);
    await take('machine-4', 90 * day + 2);
    expect(await codeOf(take('machine-5', 95 * day))).to.equal('device_limit');
    expect((await take('machine-5', 400 * day)).kind).to.equal('activated');
  });

  it('are all held where every device has an offline receipt', async () => {
    await add({ deviceLimit: 101 });
    await place(range(101).map((number) => aDevice(`offline-${number}`, noon, later(400 * day))));
    expect(await codeOf(take('machine-1', 300 * day))).to.equal('device_limit');
  });

  it('go to the device that replaces another one, within the allowance', async () => {
    await add({ deviceLimit: 1 });
    await take('machine-0');
    const replace = (number: number, at: number) =>
      take(`machine-${number}`, at, { replace: known(`machine-${number - 1}`) });
    for (const number of [1, 2, 3, 4]) {
      const { entitlement } = await replace(number, 0);
      expect(entitlement).to.deep.include({ devicesUsed: 1, releasesUntil: later(number * 7.5 * day) });
    }
    expect(await refusalOf(replace(5, 0))).to.deep.equal({
      code: 'too_many_releases',
      details: { retryAt: later(7.5 * day) },
    });
    expect(await codeOf(take('machine-5', 0, { replace: known('machine-0') }))).to.equal('device_limit');
    const last = (await eventsIn(store())).at(-2);
    expect(last?.event.device).to.deep.equal({ id: known('machine-3'), reason: 'replaced' });
    // A seat that is free takes none of the allowance, and keeps it.
    await releaseDevice(managing())('ent_1', known('machine-4'), aCall(operator));
    expect((await take('machine-6')).entitlement.releasesUntil).to.deep.equal(later(30 * day));
  });

  it('are not replaced while one more is used than there are', async () => {
    await add({ deviceLimit: 1 });
    await place([aDevice('machine-1'), aDevice('machine-2')]);
    expect(await codeOf(take('machine-3', 0, { replace: known('machine-1') }))).to.equal('device_limit');
    expect(await codeOf(take('machine-3', 300 * day))).to.equal('device_limit');
    expect((await take('machine-1')).kind).to.equal('present');
  });

  it('are not released by apps while an offline receipt runs', async () => {
    await add({ deviceLimit: 1 });
    await take('machine-1', 0, { offlineUntil: later(day) });
    expect(await codeOf(take('machine-2', 1, { replace: known('machine-1') }))).to.equal('device_offline');
    expect(await codeOf(deactivate('machine-1', day - 1))).to.equal('device_offline');
    expect((await deactivate('machine-1', day)).entitlement.devicesUsed).to.equal(0);
  });

  it('are released by apps by either name, and a repeat is a success', async () => {
    await add();
    await take('machine-1');
    await take('machine-2');
    const one = await deactivate('machine-1');
    expect(one.device).to.equal(known('machine-1'));
    expect(one.entitlement).to.deep.include({ devicesUsed: 1, deviceLimit: 2, releasesUntil: later(3.75 * day) });
    const release = releaseSeat(parts);
    const other = await release(read, { device: known('machine-2') }, aCall());
    expect(other.entitlement).to.include({ devicesUsed: 0, deviceLimit: 2 });
    const again = await release(read, { device: known('machine-2') }, aCall());
    expect(again).to.deep.equal({ device: known('machine-2'), entitlement: { ...(await read()), deviceLimit: 2 } });
    expect([(await read()).revision, await listed()]).to.deep.equal([other.entitlement.revision, []]);
    const events = (await eventsIn(store())).slice(2);
    expect(events.map(({ event }) => event.device?.reason)).to.deep.equal(['app', 'app']);
    const foreign = { ...holder, productId: 'prod_2', device: { deviceId: 'machine-1' } };
    expect(await codeOf(deactivateDevice(store().licenses, parts)(foreign, aCall()))).to.equal('license_not_found');
  });

  it('are shown to the holder of the key: a hundred of them', async () => {
    await add({ deviceLimit: 101 });
    await place(range(101).map((number) => aDevice(`machine-${number}`, later(number))));
    const { devices, entitlement } = await listLicenseDevices(store().licenses, parts)(holder, aCall());
    expect(devices.map(({ seenAt }) => seenAt)).to.deep.equal(range(100).map(later));
    expect(entitlement).to.include({ id: 'ent_1', deviceLimit: 101, devicesUsed: 101 });
  });

  it('are listed and found by operators, all or the first', async () => {
    await add();
    await place(range(205).map((number) => aDevice(`machine-${number}`, later(number))));
    const list = listDevices(managing());
    const all = await list('ent_1', aCall());
    expect(all.devices.map(({ seenAt }) => seenAt)).to.deep.equal(range(205).map(later));
    expect(all.entitlement).to.deep.equal({ ...(await read()), deviceLimit: 2 });
    expect((await list('ent_1', aCall(), 100)).devices).to.have.length(100);
    expect((await list('ent_1', aCall(), 101)).devices).to.have.length(200);
    expect(await codeOf(list('ent_9', aCall()))).to.equal('entitlement_not_found');
    const find = findDevice(managing());
    expect(await find('ent_1', known('machine-3'), aCall())).to.deep.equal({
      entitlement: all.entitlement,
      device: aDevice('machine-3', later(3)),
    });
    expect((await find('ent_1', known('machine-999'), aCall())).device).to.equal(null);
    expect(await codeOf(find('ent_9', known('machine-3'), aCall()))).to.equal('entitlement_not_found');
  });

  it('are listed once each, though a device is seen while they are listed', async () => {
    await add();
    await place(range(100).map((number) => aDevice(`machine-${number}`, later(number))));
    const devices = interposed(store().devices, async (method, [, part]) => {
      const { after } = part as { readonly after: unknown };
      if (method !== 'page' || after === null) return;
      await store().devices.note('ent_1', { id: known('machine-0'), name: null, seenAt: later(day) }, aCall());
    });
    const { devices: seen } = await listDevices({ ...managing(), devices })('ent_1', aCall());
    expect(seen).to.have.length(100);
    expect(seen.find(({ id }) => id === known('machine-0'))?.seenAt).to.deep.equal(later(day));
  });

  it('are released by operators whatever apps may do, one by one or all', async () => {
    await add({ deviceLimit: 250 });
    await take('machine-0', 0, { offlineUntil: later(400 * day) });
    await deactivate('machine-0', 401 * day);
    const { releasesUntil } = await read();
    await place(range(201).map((number) => aDevice(`machine-${number}`, later(number), later(800 * day))));
    const release = releaseDevice(managing());
    const one = await release('ent_1', known('machine-7'), aCall(operator));
    expect(one).to.deep.include({ released: 1 });
    expect(one.entitlement).to.deep.include({ devicesUsed: 200, deviceLimit: 250, releasesUntil });
    expect(await release('ent_1', known('machine-7'), aCall(operator))).to.deep.equal({
      released: 0,
      entitlement: { ...(await read()), deviceLimit: 250 },
    });
    const clear = clearDevices(managing());
    const all = await clear('ent_1', aCall(operator));
    expect([all.released, all.entitlement.devicesUsed, await listed()]).to.deep.equal([200, 0, []]);
    expect((await clear('ent_1', aCall(operator))).released).to.equal(0);
    const [event] = (await eventsIn(store())).slice(2);
    expect(event?.event).to.deep.include({ by: 'command:ada', type: 'device.released' });
    expect(event?.event.device).to.deep.equal({ id: known('machine-7'), reason: 'operator' });
    expect(await codeOf(release('ent_9', known('machine-7'), aCall(operator)))).to.equal('entitlement_not_found');
    expect(await codeOf(clear('ent_9', aCall(operator)))).to.equal('entitlement_not_found');
  });

  describe('when another has written first', () => {
    beforeEach(async () => {
      await add({ deviceLimit: 3 });
      await take('machine-1');
      let isOver = false;
      const devices = interposed(parts.devices, async (method) => {
        if (method !== 'replace' || isOver) return;
        isOver = true;
        await place([aDevice('machine-8'), aDevice('machine-9')]);
      });
      parts = { ...parts, devices };
    });

    it('are counted anew before one is given', async () => {
      expect(await codeOf(take('machine-2'))).to.equal('device_limit');
      expect((await read()).devicesUsed).to.equal(3);
    });

    it('are kept with their offline receipts', async () => {
      const { entitlement } = await take('machine-1', 0, { offlineUntil: later(day) });
      expect(entitlement.devicesUsed).to.equal(3);
      expect(await found('machine-1')).to.deep.include({ offlineUntil: later(day) });
    });

    it('are counted anew before one is released by an app', async () => {
      expect((await deactivate('machine-1')).entitlement.devicesUsed).to.equal(2);
      expect(new Set((await listed()).map(({ id }) => id))).to.deep.equal(
        new Set(['machine-8', 'machine-9'].map(known)),
      );
    });

    it('are all released by an operator', async () => {
      const { released, entitlement } = await clearDevices(managing())('ent_1', aCall(operator));
      expect([released, entitlement.devicesUsed, await listed()]).to.deep.equal([3, 0, []]);
    });
  });
});
