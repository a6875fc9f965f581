import { expect } from 'chai';
import type { MongoDatabase } from '../../../adapters/mongo/driver/mongo-database.ts';
import { openMongoDatabase } from '../../../adapters/mongo/open-mongo-database.ts';
import type { Call } from '../../../core/call.ts';
import { Refusal } from '../../../core/refusal.ts';
import { aCall, anAppKey, deadlineIn, noon } from '../../support/builders.ts';
import { eventually } from '../../support/eventually.ts';
import { startServers, type Mongod, type Servers } from '../../support/mongo/mongod.ts';
import { fillForReads, portsOf, reads } from '../../support/mongo/reads.ts';
import {
  hideCommits,
  membersReady,
  primaryOf,
  resumeReplication,
  secondaryOf,
  stopReplication,
} from '../../support/mongo/replica-set.ts';
import { refusalOf } from '../../support/thrown.ts';

/** Milliseconds after which the second member asks for more writes, and before which it does not stand for election. */
const pollInterval = 500;

/** A busy machine may need longer than that for one revocation. */
const attempts = 10;

/**
 * The new primary has the revocation that the old one acknowledged. It cannot know that a majority has it, because the
 * third member does not receive it.
 */
describe('a MongoDB primary that was elected just after a revocation was acknowledged', () => {
  let servers: Servers;
  let url: string;
  let third: Mongod;
  let revoker: MongoDatabase;
  let other: MongoDatabase;
  let readBefore: Promise<unknown>;
  /** The functions that end the servers and the connections to them. */
  const ends: (() => Promise<unknown>)[] = [];

  before(async () => {
    servers = await startServers(3);
    ends.push(() => servers.end());
    await membersReady(servers);
    for (let attempt = 1; !((await open(attempt)) && (await revoke())); attempt += 1) {
      if (attempt === attempts) throw new Error('no revocation was acknowledged');
      await membersReady(servers);
    }
    readBefore = revocationSeenBy(other, deadlineIn(30_000)).catch(() => 'refused');
    await eventually(() => other.isReady(aCall()), Boolean);
  });
  after(async () => {
    for (const end of ends.toReversed()) await end();
  });

  /** Returns false if the servers could not store anything: those that a busy machine starts may be too slow at first. */
  async function open(attempt: number): Promise<boolean> {
    url = servers.url(`latchkey-${attempt}`);
    try {
      [revoker, other] = [await opened(true), await opened(false)];
      await fillForReads(portsOf(revoker));
      return true;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return false;
    }
  }

  async function opened(create: boolean): Promise<MongoDatabase> {
    const database = await openMongoDatabase(url, { create }, aCall());
    ends.push(() => database.close());
    return database;
  }

  /**
   * Kills the primary once it has acknowledged the revocation. Returns false if it did not do so in time: it is then
   * started again.
   */
  async function revoke(): Promise<boolean> {
    const primary = await primaryOf(servers);
    third = secondaryOf(servers, primary);
    await stopReplication(third);
    const call = aCall({ deadline: deadlineIn(pollInterval) });
    await hideCommits(primary);
    const isDone = await portsOf(revoker)
      .allAppKeys.end('key_1', { revokedAt: noon }, call)
      .then(
        () => true,
        () => false,
      );
    await primary.signal('KILL');
    if (isDone) return true;
    await resumeReplication(third);
    await primary.start();
    return false;
  }

  for (const [whose, database] of [
    ['the process that sent the revocation', () => revoker],
    ['another process', () => other],
  ] as const) {
    it(`answers no read of ${whose} while it may be missing`, async () => {
      const ports = portsOf(database());
      const outcomes = reads.map(async ({ what, ask }) => {
        const { code } = await refusalOf(ask(ports, aCall({ deadline: deadlineIn(1500) })));
        return [what, code];
      });
      expect(await Promise.all(outcomes)).to.deep.equal(reads.map(({ what }) => [what, 'store_unavailable']));
    });
  }

  it('shows it to every process once a majority has it', async () => {
    await resumeReplication(third);
    const starting = await afterElections(() =>
      openMongoDatabase(url, { create: false }, aCall({ deadline: deadlineIn(20_000) })),
    );
    for (const database of [revoker, other, starting]) {
      expect(await afterElections(() => revocationSeenBy(database, deadlineIn(20_000)))).to.deep.equal(noon);
    }
    await starting.close();
  });

  it('has shown no earlier state to a read that was waiting for the election', async () => {
    expect(await readBefore).to.not.equal(null);
  });
});

/** Tries again while the store is unavailable: members that a busy machine keeps from each other hold another election. */
async function afterElections<T>(ask: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'store_unavailable' || attempt === attempts) throw error;
    }
  }
}

async function revocationSeenBy(database: MongoDatabase, deadline: Call['deadline']): Promise<Date | null> {
  const key = await portsOf(database).appKeys.find(anAppKey().digest, aCall({ deadline }));
  if (key === null) throw new Error('the app key is stored');
  return key.revokedAt;
}
