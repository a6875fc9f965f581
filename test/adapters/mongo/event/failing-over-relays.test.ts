import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import type { MongoDatabase } from '../../../../adapters/mongo/driver/mongo-database.ts';
import { EventRelay } from '../../../../adapters/mongo/event/event-relay.ts';
import { openMongoDatabase } from '../../../../adapters/mongo/open-mongo-database.ts';
import { aCall } from '../../../support/builders.ts';
import { faultyDatabase, type FaultCounts } from '../../../support/mongo/faulty-database.ts';
import { startServers, type Servers } from '../../../support/mongo/mongod.ts';
import { OutboxWriter } from '../../../support/mongo/outbox-writer.ts';
import { hideCommits, membersReady, primaryOf } from '../../../support/mongo/replica-set.ts';
import { SeededRandom } from '../../../support/random.ts';
import { range } from '../../../support/range.ts';

const failovers = 2;
const relays = 3;
const writers = 3;
const entitlements = 12;
const products = 3;

describe('relays on a MongoDB replica set that loses its primary', () => {
  const opened: MongoDatabase[] = [];
  let servers: Servers;

  before(async () => {
    servers = await startServers(3);
    await membersReady(servers);
  });
  after(async () => {
    await Promise.all(opened.map((database) => database.close()));
    await servers.end();
  });

  async function open(): Promise<MongoDatabase> {
    const database = await openMongoDatabase(servers.url('latchkey'), { create: true }, aCall());
    opened.push(database);
    return database;
  }

  it('move each event once and in order', async () => {
    const writer = new OutboxWriter(await open());
    const ids = range(entitlements).map((index) => `ent_${index}`);
    for (const [index, id] of ids.entries()) await writer.add(id, `prod_${index % products}`);
    const state = { isOver: false, written: 0 };
    const counts: FaultCounts = { deaths: 0, late: 0, stalls: 0 };
    const late: Promise<unknown>[] = [];

    const relaying = range(relays).map(async (seed) => {
      const random = new SeededRandom(seed);
      const own = await open();
      // The first one has no faults but those of the servers.
      const database = seed === 0 ? own : faultyDatabase(own, { random, rarity: 20, counts, late });
      let relay = new EventRelay(database);
      while (!state.isOver) {
        await relay.moveEvents().catch(async () => {
          if (random.below(2) === 0) relay = new EventRelay(database);
          await sleep(random.below(100));
        });
        await sleep(random.below(60));
      }
    });
    const writing = range(writers).map(async (seed) => {
      const random = new SeededRandom(100 + seed);
      const own = ids.filter((_, index) => index % writers === seed);
      while (!state.isOver) {
        const id = random.pick(own);
        for (let isDone = false; !isDone && !state.isOver;) {
          isDone = await writer.write(id).then(
            () => true,
            () => sleep(50, false),
          );
        }
        state.written += 1;
        await sleep(random.below(40));
      }
    });

    const written = async (count: number): Promise<void> => {
      const goal = state.written + count;
      while (state.written < goal) await sleep(10);
    };
    for (const failover of range(failovers)) {
      await written(100);
      const primary = await primaryOf(servers);
      if (failover % 2 === 1) await hideCommits(primary);
      await primary.signal('KILL');
      await written(20);
      await primary.start();
      await membersReady(servers);
    }
    state.isOver = true;
    await Promise.all([...relaying, ...writing]);
    await Promise.allSettled(late);
    // Whether the last writes that failed were applied.
    for (const id of ids) await writer.write(id);
    await new EventRelay(await open()).settle();

    expect(await writer.waiting()).to.equal(0);
    expect(await writer.violations()).to.deep.equal([]);
    expect(state.written).to.be.greaterThan(failovers * 100);
  });
});
