import { expect } from 'chai';
import type { Document } from 'mongodb';
import type { MongoDatabase } from '../../../../adapters/mongo/driver/mongo-database.ts';
import { EventRelay } from '../../../../adapters/mongo/event/event-relay.ts';
import { failures, whileFailing } from '../../../support/mongo/fail-point.ts';
import { openOwnDatabase, ownServer } from '../../../support/mongo/mongodb.ts';
import { OutboxWriter } from '../../../support/mongo/outbox-writer.ts';
import { range } from '../../../support/range.ts';

/** The commands of a move whose relay does not know the log yet, and how often each is sent. */
const commands = [
  { what: 'reading what waits', command: 'find', collection: 'entitlements', count: 2 },
  { what: 'reading the last batch', command: 'find', collection: 'events', count: 1 },
  { what: 'appending a batch', command: 'insert', collection: 'events', count: 1 },
  { what: 'removing events from outboxes', command: 'update', collection: 'entitlements', count: 2 },
] as const;

describe('the relay on MongoDB', () => {
  let database: MongoDatabase;
  let name: string;
  let writer: OutboxWriter;
  let relay: EventRelay;

  beforeEach(async () => {
    database = await openOwnDatabase();
    name = database.db.databaseName;
    writer = new OutboxWriter(database);
    relay = new EventRelay(database);
    for (const id of ['a', 'b', 'c']) await writer.add(id);
    await writer.add('d', 'prod_2');
  });
  afterEach(() => database.close());

  it('gives the events of each product consecutive positions, those of each entitlement in their order', async () => {
    await writer.write('a', 2);
    await writer.write('d');
    await relay.settle();
    await writer.write('b');
    await relay.settle();
    await writer.write('a');
    await relay.settle();
    expect((await writer.log()).map(({ position, of, sequence }) => [position, of, sequence])).to.deep.equal([
      [1, 'a', 1],
      [2, 'a', 2],
      [3, 'b', 1],
      [4, 'a', 3],
    ]);
    expect(await writer.log('prod_2')).to.deep.equal([{ position: 1, id: 'evt_d_1', of: 'd', sequence: 1 }]);
    expect(await writer.waiting()).to.equal(0);
  });

  it('does nothing where nothing waits', async () => {
    expect(await relay.moveEvents()).to.equal(0);
    expect(await writer.log()).to.deep.equal([]);
  });

  it('moves a long outbox, many entitlements and many products in several moves', async () => {
    await writer.write('a', 1250);
    for (const index of range(250)) {
      await writer.add(`many-${index}`, `prod_${index % 230}`);
      await writer.write(`many-${index}`, index % 3);
    }
    await relay.settle();
    expect(await writer.violations()).to.deep.equal([]);
    expect(await writer.waiting()).to.equal(0);
    const sizes = await database
      .collection('events')
      .aggregate([{ $project: { size: { $size: '$events' } } }])
      .toArray();
    expect(Math.max(...sizes.map(({ size }) => size))).to.be.within(100, 500);
  });

  it('ends each removal with a statement without effect, for which the server waits for all earlier writes', async () => {
    const last: Document[] = [];
    const recorded = new EventRelay({
      findOnce: (...query) => database.findOnce(...query),
      writeCommand: (command) => {
        if (command['update'] === 'entitlements') last.push(command['updates'].at(-1));
        return database.writeCommand(command);
      },
    });
    await prepare();
    await recorded.settle();
    await writer.write('b');
    await recorded.settle();
    expect(last).to.have.length(3);
    await writer.write('a');
    const { n } = await database.writeCommand({ update: 'entitlements', updates: last });
    expect([n, await writer.waiting()]).to.deep.equal([0, 1]);
  });

  for (const { what, command, collection, count } of commands) {
    for (const { name: how, failure, applied } of failures) {
      if (command === 'find' && applied) continue;
      for (const nth of range(count).map((index) => index + 1)) {
        it(`moves each event once when ${what} (${nth}) ${how}, itself and by another relay`, async () => {
          for (const survivor of ['itself', 'another']) {
            await prepare();
            const failing = new EventRelay(database);
            const namespace = `${name}.${collection}`;
            const url = (await ownServer()).url('admin');
            const failed = await whileFailing(
              url,
              [command],
              failure,
              () =>
                failing.moveEvents().then(
                  () => false,
                  () => true,
                ),
              { skip: nth - 1, namespace },
            );
            expect(failed).to.equal(true);
            await writer.write('b');
            await (survivor === 'itself' ? failing : new EventRelay(database)).settle();
            expect(await writer.violations()).to.deep.equal([]);
            expect(await writer.waiting()).to.equal(0);
          }
        });
      }
    }
  }

  /** Leaves a batch whose events have not left their outboxes, and others that wait. */
  async function prepare(): Promise<void> {
    await writer.write('a', 3);
    await writer.write('d');
    const url = (await ownServer()).url('admin');
    const dying = new EventRelay(database);
    await whileFailing(url, ['update'], { closeConnection: true }, () => dying.moveEvents().catch(() => 0), {
      skip: 0,
      namespace: `${name}.entitlements`,
    });
    await writer.write('a');
    await writer.write('c');
  }
});
