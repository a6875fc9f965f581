import { expect } from 'chai';
import type { Document } from 'mongodb';
import type { MongoDatabase } from '../../../../adapters/mongo/driver/mongo-database.ts';
import { EventRelay } from '../../../../adapters/mongo/event/event-relay.ts';
import { openMongoDatabase } from '../../../../adapters/mongo/open-mongo-database.ts';
import { recordClockEvents } from '../../../../core/entitlement/event/record-clock-events.ts';
import { tierEvent } from '../../../../core/tier/tier-event.ts';
import {
  aCall,
  aChangeRecord,
  aLicense,
  aRecord,
  aSubscription,
  changed,
  day,
  granted,
  later,
} from '../../../support/builders.ts';
import { ownDatabaseUrl } from '../../../support/mongo/mongodb.ts';
import { fillForReads, portsOf, reads, type OpenedPorts } from '../../../support/mongo/reads.ts';
import { range } from '../../../support/range.ts';

const seen = aSubscription({ sequence: 1, license: aLicense() });

describe('the outbox of an entitlement on MongoDB', () => {
  let database: MongoDatabase;
  let ports: OpenedPorts;

  beforeEach(async () => {
    database = await openMongoDatabase(await ownDatabaseUrl(), { create: true }, aCall());
    ports = portsOf(database);
  });
  afterEach(() => database.close());

  it('keeps what waits, and never gets back what was moved, whichever write comes next', async () => {
    const sweep = recordClockEvents(ports.dueEntitlements, () => 'evt_of-the-clock');
    const writes: readonly ((entitlement: typeof seen) => Promise<unknown>)[] = [
      (now) => ports.entitlements.replace(now, changed(now), aRecord(now), aChangeRecord(changed(now)), aCall()),
      (now) => ports.allEntitlements.replace(now, changed(now), aChangeRecord(changed(now)), aCall()),
      () => sweep(() => aCall({ now: later(20 * day) })),
      // Changes nothing, and so has no event.
      (now) => {
        const next = { ...now, revision: now.revision + 1 };
        return ports.entitlements.replace(now, next, aRecord(now), null, aCall());
      },
    ];
    for (const [index, write] of writes.entries()) {
      await database.db.collection('entitlements').deleteMany({});
      await ports.allEntitlements.add(granted([seen]), aCall());
      const own = index === 3 ? [] : [2];
      if (index === 2) own.push(3);
      expect(await waiting()).to.deep.equal([1]);
      await write(seen);
      expect(await waiting(), `write ${index}`).to.deep.equal([1, ...own]);
      await new EventRelay(database).settle();
      expect(await waiting()).to.deep.equal([]);
      const stored = await ports.allEntitlements.find(seen.id, aCall());
      if (stored?.kind !== 'subscription') throw new Error('the subscription is stored');
      const next = changed(stored);
      await ports.allEntitlements.replace(stored, next, aChangeRecord(next), aCall());
      expect(await waiting(), `after write ${index}`).to.deep.equal([next.sequence]);
    }
  });

  it('is in no answer to a read', async () => {
    await fillForReads(ports);
    const [document] = await database.db.collection('entitlements').find().toArray();
    expect(document?.['outbox']).to.not.equal(undefined);
    for (const { what, ask } of reads) {
      expect(JSON.stringify(await ask(ports, aCall())), what).to.not.include('outbox');
    }
  });

  it('holds no license key, digest or reference', async () => {
    await ports.allEntitlements.add(granted([{ ...seen, reference: 'order-of-ada' }]), aCall());
    const [document] = await database.db.collection('entitlements').find().toArray();
    const outbox = JSON.stringify(document?.['outbox']);
    for (const secret of [seen.license?.digest, 'order-of-ada']) expect(outbox).to.not.include(secret);
  });

  it('shows since when its oldest event has been waiting, of any number of entitlements', async () => {
    const at = async (id: string, now: Date): Promise<Date | null> => {
      await ports.allEntitlements.add(granted([aSubscription({ id, sequence: 1 })]), aCall({ now }));
      return ports.maintenance.oldestWaitingEvent(aCall());
    };
    expect([await at('a', later(5)), await at('b', later(3)), await at('c', later(9))]).to.deep.equal([
      later(5),
      later(3),
      later(3),
    ]);
    await new EventRelay(database).settle();
    expect(await ports.maintenance.oldestWaitingEvent(aCall())).to.equal(null);
  });

  it('lets the relay and the sweep look at no key where nothing waits and nothing is due', async () => {
    const many = range(300).map((index) => aSubscription({ id: `ent_${index}`, sequence: 1 }));
    await ports.allEntitlements.add(granted(many), aCall());
    const tier = {
      productId: 'prod_1',
      id: 'pro',
      terms: { deviceLimit: null, trial: null, features: {} },
      revision: 1,
    };
    await ports.tiers.replace(
      tier,
      tierEvent(null, tier, aCall(), () => 'evt_of-a-tier'),
      aCall(),
    );
    await new EventRelay(database).settle();
    expect(await ports.dueEntitlements.due(later(day), 100, aCall())).to.deep.equal([]);
    const profiled = await profile(async () => {
      await new EventRelay(database).moveEvents();
      await ports.dueEntitlements.due(later(day), 100, aCall());
    });
    const expected = { docsExamined: 0, keysExamined: 0 };
    // The relay reads entitlements, tiers, sales and statements; the sweep reads entitlements.
    const examined = profiled.map(({ docsExamined, keysExamined }) => ({ docsExamined, keysExamined }));
    expect(examined).to.deep.equal(range(5).map(() => expected));
  });

  it('finds what is due by its index', async () => {
    const many = range(300).map((index) =>
      aSubscription({ id: `ent_${index}`, currentPeriodEnd: later(index * day), graceUntil: later(400 * day) }),
    );
    await ports.allEntitlements.add(granted(many), aCall());
    const [read] = await profile(() => ports.dueEntitlements.due(later(9 * day), 100, aCall()));
    expect([read?.['docsExamined'], read?.['nreturned']]).to.deep.equal([10, 10]);
  });

  /** The sequences of the events that wait. */
  async function waiting(): Promise<readonly number[]> {
    const documents = await database.db.collection('entitlements').find().toArray();
    return documents.flatMap(({ outbox = [] }) => outbox.map(({ n }: { readonly n: number }) => n));
  }

  /** The operations that the server carries out for the store during `work`. */
  async function profile(work: () => Promise<unknown>): Promise<readonly Document[]> {
    const db = database.db;
    await db.command({ profile: 2, filter: { appName: 'latchkey' } });
    await work();
    await db.command({ profile: 0 });
    return db.collection('system.profile').find().sort({ ts: 1 }).toArray();
  }
});
