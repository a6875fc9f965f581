import { expect } from 'chai';
import { MongoClient, type Timestamp } from 'mongodb';
import type { MongoDatabase } from '../../../../adapters/mongo/driver/mongo-database.ts';
import { placeId, type Entry } from '../../../../core/copy/archive.port.ts';
import {
  aCall,
  aChangeRecord,
  aListing,
  anAppKey,
  anEvent,
  anOperatorSession,
  aRecord,
  aSignUp,
  aSubscription,
  changed,
  day,
  granted,
  later,
  noon,
} from '../../../support/builders.ts';
import { ownOpenDatabase } from '../../../support/mongo/mongodb.ts';
import { portsOf, type OpenedPorts } from '../../../support/mongo/reads.ts';

const link = {
  digest: 'digest-of-a-link',
  subject: 'ent_1',
  appKeyId: null,
  returnUrl: null,
  isForLostKeys: false,
  createdAt: noon,
  expiresAt: noon,
};
const existing = aSubscription({ id: 'existing' });

/** Every write of the adapter, except that of the last use of an app key, for which nobody waits. */
const writes: readonly { readonly what: string; readonly send: (ports: OpenedPorts) => Promise<unknown> }[] = [
  {
    what: 'adds a product',
    send: ({ products }) => products.add({ id: 'new', name: 'New', createdAt: noon }, aCall()),
  },
  {
    what: 'adds an app key',
    send: ({ allAppKeys }) => allAppKeys.add(anAppKey({ id: 'new', digest: 'new' }), aCall()),
  },
  { what: 'ends an app key', send: ({ allAppKeys }) => allAppKeys.end('key_1', { revokedAt: noon }, aCall()) },
  { what: 'grants', send: ({ allEntitlements }) => allEntitlements.add(granted([aSubscription()]), aCall()) },
  {
    what: 'changes an entitlement by a command',
    send: ({ allEntitlements }) =>
      allEntitlements.replace(existing, changed(existing), aChangeRecord(changed(existing)), aCall()),
  },
  {
    what: 'changes an entitlement by a request',
    send: ({ entitlements }) =>
      entitlements.replace(existing, changed(existing), aRecord(existing), aChangeRecord(changed(existing)), aCall()),
  },
  {
    what: 'removes expired records',
    send: async ({ entitlements, maintenance }) => {
      await entitlements.replace(
        existing,
        changed(existing),
        aRecord(existing),
        aChangeRecord(changed(existing)),
        aCall(),
      );
      expect(await maintenance.prune(null, aCall({ now: later(30 * day) }))).to.include({ removed: 1 });
    },
  },
  {
    what: 'removes the expired record of another entitlement',
    send: async ({ allEntitlements, entitlements }) => {
      await entitlements.replace(
        existing,
        changed(existing),
        aRecord(existing),
        aChangeRecord(changed(existing)),
        aCall(),
      );
      await allEntitlements.add(granted([aSubscription()]), aCall());
      const [now, seen] = [later(30 * day), aSubscription()];
      const outcome = await entitlements.replace(
        seen,
        changed(seen),
        aRecord(seen, { at: now }),
        aChangeRecord(changed(seen)),
        aCall({ now }),
      );
      expect(outcome).to.deep.equal({ kind: 'replaced' });
    },
  },
  {
    what: 'removes old events',
    send: async ({ archive, events }) => {
      const event = anEvent(existing);
      const value = { productId: 'prod_1', storedAt: noon, event };
      const entries = [1, 2].map((position): Entry => ({
        section: 'events',
        id: placeId('prod_1', position),
        value: { ...value, position },
      }));
      await archive.insert(entries, aCall());
      expect(await events.prune('prod_1', noon, aCall())).to.equal(1);
    },
  },
  { what: 'stores listings', send: ({ listings }) => listings.put([aListing({ name: 'New' })], aCall()) },
  { what: 'pauses a listing', send: ({ listings }) => listings.setState(aListing().slug, 'paused', aCall()) },
  {
    what: 'writes the storefronts of a listing',
    send: ({ listings }) => listings.setStorefronts(aListing().slug, 3, aCall()),
  },
  { what: 'keeps a sign-up', send: ({ waitlist }) => waitlist.join(aSignUp({ email: 'new@example.com' }), aCall()) },
  { what: 'erases a sign-up', send: ({ waitlist }) => waitlist.erase(aSignUp().email, aCall()) },
  {
    what: 'begins a session',
    send: ({ operatorSessions }) => operatorSessions.add(anOperatorSession({ digest: 'new' }), aCall()),
  },
  {
    what: 'records the use of a session',
    send: ({ operatorSessions }) => operatorSessions.recordUse(anOperatorSession().digest, later(1), aCall()),
  },
  {
    what: 'removes a session',
    send: ({ operatorSessions }) => operatorSessions.remove(anOperatorSession().digest, aCall()),
  },
  {
    what: 'removes the sessions that have ended',
    send: ({ operatorSessions }) => operatorSessions.prune({ createdAt: noon, lastUsedAt: noon }, aCall()),
  },
  {
    what: 'makes a link',
    send: ({ buyerLinks }) => buyerLinks.add({ ...link, digest: 'new' }, aCall()),
  },
  { what: 'removes the links of an entitlement', send: ({ buyerLinks }) => buyerLinks.removeAll('ent_1', aCall()) },
  { what: 'removes the links that have ended', send: ({ buyerLinks }) => buyerLinks.prune(noon, aCall()) },
  {
    what: 'stores entries of a copy',
    send: ({ archive }) =>
      archive.insert([{ section: 'appKeys', id: 'new', value: anAppKey({ id: 'new', digest: 'new' }) }], aCall()),
  },
  { what: 'removes entries of a copy', send: ({ archive }) => archive.remove('listings', [aListing().slug], aCall()) },
];

describe('a read on MongoDB', () => {
  let client: MongoClient;
  let database: MongoDatabase;
  let ports: OpenedPorts;

  beforeEach(async () => {
    const own = await ownOpenDatabase();
    client = new MongoClient(own.url);
    database = own.database;
    ports = portsOf(database);
    await ports.allAppKeys.add(anAppKey(), aCall());
    await ports.allEntitlements.add(granted([existing]), aCall());
    await ports.listings.put([aListing()], aCall());
    await ports.waitlist.join(aSignUp(), aCall());
    await ports.operatorSessions.add(anOperatorSession(), aCall());
    await ports.buyerLinks.add(link, aCall());
  });
  afterEach(async () => {
    await database.close();
    await client.close();
  });

  for (const { what, send } of writes) {
    it(`waits for an acknowledged write that ${what}`, async () => {
      await send(ports);
      const written = await lastWrite();
      const waitsFor = await timeOfNextRead();
      expect(waitsFor.greaterThanOrEqual(written)).to.equal(true);
    });
  }

  /** The cluster time of the last write to the database. */
  async function lastWrite(): Promise<Timestamp> {
    const own = { ns: { $regex: `^${client.db().databaseName}\\.` } };
    const oplog = client.db('local').collection('oplog.rs');
    const [entry] = await oplog.find(own).sort({ $natural: -1 }).limit(1).toArray();
    return entry?.['ts'];
  }

  /** The `afterClusterTime` of a read that is sent now. */
  async function timeOfNextRead(): Promise<Timestamp> {
    const db = client.db();
    await db.command({ profile: 2, filter: { appName: 'latchkey' } });
    await ports.products.find('none', aCall());
    await db.command({ profile: 0 });
    const profile = db.collection('system.profile');
    const read = await profile.findOne({ ns: `${db.databaseName}.products` });
    await profile.drop();
    return read?.['command'].readConcern.afterClusterTime;
  }
});
