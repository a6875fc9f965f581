import { expect } from 'chai';
import { digest } from '../../../../adapters/crypto/node-secrets.ts';
import type { MovingEntitlement } from '../../../../adapters/mongo/device/device-document.ts';
import { carryOut } from '../../../../adapters/mongo/device/device-mover.ts';
import type { MongoDatabase } from '../../../../adapters/mongo/driver/mongo-database.ts';
import { toEntitlementDocument } from '../../../../adapters/mongo/entitlement/entitlement-document.ts';
import { MongoAllEntitlements } from '../../../../adapters/mongo/entitlement/mongo-all-entitlements.ts';
import { MongoDevices } from '../../../../adapters/mongo/entitlement/mongo-devices.ts';
import { RelayLoop } from '../../../../adapters/mongo/event/relay-loop.ts';
import { deviceOf, type Device } from '../../../../core/device/device.ts';
import { releaseDevice } from '../../../../core/device/manage-devices.ts';
import { takeSeat } from '../../../../core/device/take-seat.ts';
import { withoutTiers } from '../../../../core/tier/allowance.ts';
import { aCall, aSubscription, day, later } from '../../../support/builders.ts';
import { eventually } from '../../../support/eventually.ts';
import { openOwnDatabase } from '../../../support/mongo/mongodb.ts';
import { countingIds } from '../../../support/random-entitlements.ts';

const lasting = { currentPeriodEnd: later(900 * day), graceUntil: later(901 * day) };
const settings = { idle: 90 * day, releases: 4 };

/** A database whose process dies between the write of an entitlement and the moves of its devices. */
function dying(database: MongoDatabase): MongoDatabase {
  return new Proxy(database, {
    get(target, name) {
      if (name === 'writeCommand') return () => Promise.reject(new Error('killed'));
      const member: unknown = Reflect.get(target, name, target);
      return typeof member === 'function' ? member.bind(target) : member;
    },
  });
}

const shown = ({ id, offlineUntil }: Device): string => `${id} ${offlineUntil?.toISOString() ?? ''}`.trim();
const idOf = (deviceId: string): string => deviceOf('ent_1', deviceId, digest);

const recording = { endingSoon: 0, knownTiers: withoutTiers.knownTiers };

/** The use cases of a process that dies, or lives. */
function process(own: MongoDatabase) {
  const devices = new MongoDevices(own, () => {});
  const all = new MongoAllEntitlements(own, () => {});
  const parts = { devices, digest, trustsClock: () => true, newEventId: countingIds(), settings, ...recording };
  return {
    take: (deviceId: string, at = 0, offlineUntil: Date | null = null) =>
      takeSeat(parts)(
        async () => (await all.find('ent_1', aCall())) ?? expect.fail(),
        { deviceId, name: null, replace: null, offlineUntil },
        aCall({ now: later(at) }),
      ),
    release: (deviceId: string) =>
      releaseDevice({ ...parts, entitlements: all })('ent_1', deviceOf('ent_1', deviceId, digest), aCall()),
  };
}

describe('moves of devices that a process has left', () => {
  let database: MongoDatabase;
  const loops: RelayLoop[] = [];

  beforeEach(async () => {
    database = await openOwnDatabase();
    await entitlements().insertOne(toEntitlementDocument(aSubscription({ deviceLimit: 3, ...lasting })));
  });
  afterEach(async () => {
    await Promise.all(loops.splice(0).map((loop) => loop.stop()));
    await database.close();
  });

  const entitlements = () => database.collection<ReturnType<typeof toEntitlementDocument>>('entitlements');
  const left = (): Promise<number> => entitlements().countDocuments({ 'moves.n': { $exists: true } });
  const documents = (): Promise<number> => database.collection('devices').countDocuments({ gone: null });

  /** The devices that a reader sees in each of its three ways. */
  async function seen(): Promise<readonly string[]> {
    const reader = new MongoDevices(database, () => {});
    const page = await reader.page('ent_1', { after: null, limit: 100 }, aCall());
    for (const device of page) expect(await reader.find('ent_1', device.id, aCall())).to.deep.equal(device);
    expect((await reader.counts(['ent_1'], aCall())).get('ent_1')).to.equal(page.length);
    return page.map(shown);
  }

  const start = (): void => {
    const loop = new RelayLoop(database);
    loops.push(loop);
    loop.start((error) => expect.fail(String(error)));
  };

  it('are read at once, and carried out by the relay with their events', async () => {
    const { take, release } = process(dying(database));
    await take('machine-1');
    await take('machine-2', 1);
    await release('machine-1');
    expect([await left(), await documents()]).to.deep.equal([1, 0]);
    expect(await seen()).to.deep.equal([idOf('machine-2')]);
    start();
    await eventually(left, (count) => count === 0);
    expect([await documents(), await seen()]).to.deep.equal([1, [idOf('machine-2')]]);
  });

  it('are carried out by the relay also where no event waits, so that later uses are noted', async () => {
    await process(database).take('machine-1');
    start();
    await eventually(
      () => entitlements().countDocuments({ 'outbox.0': { $exists: true } }),
      (count) => count === 0,
    );
    await process(dying(database)).take('machine-1', 1, later(30 * day));
    expect(await seen()).to.deep.equal([`${idOf('machine-1')} ${later(30 * day).toISOString()}`]);
    expect(await eventually(left, (count) => count === 0)).to.equal(0);
    await process(database).take('machine-1', 2 * day);
    const found = await new MongoDevices(database, () => {}).find('ent_1', idOf('machine-1'), aCall());
    expect(found?.seenAt).to.deep.equal(later(2 * day));
  });

  it('change nothing when they come late: they neither revive a device nor take one away', async () => {
    const { take, release } = process(dying(database));
    await take('machine-1');
    await take('machine-2', 1);
    const late = await entitlements()
      .find<MovingEntitlement>({}, { projection: { moves: 1 } })
      .toArray();
    await release('machine-1');
    await release('machine-2');
    const released = await entitlements()
      .find<MovingEntitlement>({}, { projection: { moves: 1 } })
      .toArray();
    await process(database).take('machine-2', 2);
    expect([await left(), await seen()]).to.deep.equal([0, [idOf('machine-2')]]);
    for (const moves of [late, released]) await carryOut(database, moves);
    expect([await left(), await documents(), await seen()]).to.deep.equal([0, 1, [idOf('machine-2')]]);
  });
});
