import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import type { MongoDatabase } from '../../../../adapters/mongo/driver/mongo-database.ts';
import { EventRelay } from '../../../../adapters/mongo/event/event-relay.ts';
import { MongoEvents } from '../../../../adapters/mongo/event/mongo-events.ts';
import { openMongoDatabase } from '../../../../adapters/mongo/open-mongo-database.ts';
import { aCall } from '../../../support/builders.ts';
import { faultyDatabase, type FaultCounts } from '../../../support/mongo/faulty-database.ts';
import { ownDatabaseUrl } from '../../../support/mongo/mongodb.ts';
import { OutboxWriter } from '../../../support/mongo/outbox-writer.ts';
import { SeededRandom } from '../../../support/random.ts';
import { range } from '../../../support/range.ts';
import { LogFollower } from '../../../support/stores/log-follower.ts';

const relays = 4;
const writers = 6;
const followers = 2;
const eventsOfWriter = 100;
/** The minimum of each kind of fault. The writers continue until it is reached. */
const minFaults = 6;
const entitlements = 12;
const products = 3;

describe('relays on MongoDB that die, stall and send late commands', () => {
  const opened: MongoDatabase[] = [];
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((database) => database.close()));
  });

  it('move each event once and in order, and nothing ever appears before what a follower has read', async () => {
    const url = await ownDatabaseUrl();
    const open = async (): Promise<MongoDatabase> => {
      const database = await openMongoDatabase(url, { create: true }, aCall());
      opened.push(database);
      return database;
    };
    const writer = new OutboxWriter(await open());
    const ids = range(entitlements).map((index) => `ent_${index}`);
    for (const [index, id] of ids.entries()) await writer.add(id, `prod_${index % products}`);
    const counts: FaultCounts = { deaths: 0, late: 0, stalls: 0 };
    const fewestFaults = (): number => Math.min(...Object.values(counts));
    const late: Promise<unknown>[] = [];
    const state = { isOver: false };

    const relaying = range(relays).map(async (seed) => {
      const random = new SeededRandom(seed);
      const database = faultyDatabase(await open(), { random, rarity: 8, counts, late });
      let relay = new EventRelay(database);
      while (!state.isOver) {
        try {
          await relay.moveEvents();
        } catch {
          // Half of them are new processes. The others have had an error only.
          if (random.below(2) === 0) relay = new EventRelay(database);
        }
        await turn();
      }
    });
    const following = range(followers).map(async (seed) => {
      const random = new SeededRandom(100 + seed);
      const follower = new LogFollower(new MongoEvents(await open()), () => 1 + random.below(20));
      while (!state.isOver) await follower.read(...writer.products);
      return follower;
    });
    await Promise.all(
      range(writers).map(async (seed) => {
        const random = new SeededRandom(200 + seed);
        const own = ids.filter((_, index) => index % writers === seed);
        for (let count = 0; count < eventsOfWriter || fewestFaults() < minFaults; count += 1) {
          await writer.write(random.pick(own));
        }
      }),
    );
    state.isOver = true;
    await Promise.all(relaying);
    await Promise.allSettled(late);
    await new EventRelay(await open()).settle();

    expect(await writer.violations()).to.deep.equal([]);
    expect(await writer.waiting()).to.equal(0);
    for (const follower of await Promise.all(following)) {
      await follower.read(...writer.products);
      for (const productId of writer.products) {
        const log = (await writer.log(productId)).map(({ position, id }) => `${position} ${id}`);
        const seen = follower.seen(productId).map(({ position, event }) => `${position} ${event.id}`);
        expect(seen).to.deep.equal(log);
      }
    }
  });
});
