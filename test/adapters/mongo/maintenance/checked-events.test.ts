import { expect } from 'chai';
import { digest } from '../../../../adapters/crypto/node-secrets.ts';
import { publicPartOf } from '../../../../adapters/crypto/signing.ts';
import type { MongoDatabase } from '../../../../adapters/mongo/driver/mongo-database.ts';
import type { BatchDocument } from '../../../../adapters/mongo/event/event-document.ts';
import { EventRelay } from '../../../../adapters/mongo/event/event-relay.ts';
import { checkStore } from '../../../../core/check/check-store.ts';
import { placeId } from '../../../../core/copy/archive.port.ts';
import { aCall, aSubscription, granted, later, noon } from '../../../support/builders.ts';
import { openOwnDatabase } from '../../../support/mongo/mongodb.ts';
import { portsOf, type OpenedPorts } from '../../../support/mongo/reads.ts';
import { range } from '../../../support/range.ts';

describe('checkStore on MongoDB', () => {
  let database: MongoDatabase;
  let ports: OpenedPorts;
  beforeEach(async () => {
    database = await openOwnDatabase();
    ports = portsOf(database);
    await ports.products.add({ id: 'prod_1', name: 'One', createdAt: noon }, aCall());
  });
  afterEach(() => database.close());

  it('does not miss events that wait, and names those that no server moves', async () => {
    await grant('ent', 3);
    expect(await faults(60_000)).to.deep.equal([]);
    expect(await faults(60_001)).to.deep.equal([
      'Events have been waiting for their positions since 2026-07-18T12:00:00.000Z: start a server, which moves them to the feed.',
    ]);
    await outboxes().updateOne({ _id: 'ent_1' }, { $set: { outbox: [] } });
    expect(await faults(0)).to.deep.equal([
      'The last event of entitlement ent_1 of product prod_1 is missing: it has the sequence 1.',
    ]);
    await new EventRelay(database).settle();
    expect(await faults(60_001)).to.have.length(1);
  });

  it('names batches that overlap, wherever a page of the check begins', async () => {
    // The check reads 500 events at once: a batch ends there.
    for (const [name, count] of [
      ['ent', 500],
      ['more', 100],
    ] as const) {
      await grant(name, count);
      await new EventRelay(database).settle();
    }
    const batches = database.db.collection<BatchDocument>('events');
    const [first] = await batches.find().sort({ _id: 1 }).toArray();
    if (first === undefined) throw new Error('the log has a batch');
    for (const position of [2, 499, 500]) {
      const events = first.events.slice(0, 1).map((event) => ({ ...event, id: `evt_${position}` }));
      const overlapping = { ...first, _id: placeId('prod_1', position), first: position, events };
      const { _id } = overlapping;
      await batches.insertOne(overlapping);
      const found = await faults(0);
      expect(found, `position ${position}`).to.not.deep.equal([]);
      if (position === 2) expect(found).to.include('Position 2 of product prod_1 has more than one event.');
      await batches.deleteOne({ _id });
      expect(await faults(0)).to.deep.equal([]);
    }
  });

  async function grant(name: string, count: number): Promise<void> {
    await ports.allEntitlements.add(
      granted(range(count).map((index) => aSubscription({ id: `${name}_${index}`, sequence: 1 }))),
      aCall(),
    );
  }

  function outboxes() {
    return database.db.collection<{ readonly _id: string; readonly outbox: readonly unknown[] }>('entitlements');
  }

  async function faults(milliseconds: number): Promise<readonly string[]> {
    const findings = await checkStore(ports, digest, publicPartOf)(() => aCall({ now: later(milliseconds) }));
    return findings.filter(({ ok }) => !ok).map(({ message }) => message);
  }
});
