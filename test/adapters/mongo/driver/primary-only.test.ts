import { expect } from 'chai';
import type { MongoDatabase } from '../../../../adapters/mongo/driver/mongo-database.ts';
import { openMongoDatabase } from '../../../../adapters/mongo/open-mongo-database.ts';
import { UnusableStore } from '../../../../core/store/store.port.ts';
import { aCall, deadlineIn } from '../../../support/builders.ts';
import { startServers, type Servers } from '../../../support/mongo/mongod.ts';
import { fillForReads, portsOf, reads, type OpenedPorts } from '../../../support/mongo/reads.ts';
import { directUrl, membersReady, primaryOf, secondaryOf, stepDown } from '../../../support/mongo/replica-set.ts';
import { refusalOf, thrownBy } from '../../../support/thrown.ts';

describe('a MongoDB store on a replica set of three', () => {
  let servers: Servers;

  before(async () => {
    servers = await startServers(3);
    await membersReady(servers);
    await (await open(servers.url('latchkey'))).close();
  });
  after(() => servers.end());

  it('is not opened over a direct connection to a secondary', async () => {
    const secondary = secondaryOf(servers, await primaryOf(servers));
    expect(await messageOf(directUrl(secondary, 'latchkey'))).to.equal(
      `The MongoDB at 127.0.0.1:${secondary.port} is not a primary, and Latchkey reads and writes nowhere else. Name the members of its replica set in the address, without directConnection: mongodb://HOST,HOST/DATABASE?replicaSet=NAME.`,
    );
  });

  it('is opened on the primary by an address that asks for secondaries', async () => {
    const database = await open(`${servers.url('latchkey')}&readPreference=secondary`);
    expect(await database.isReady(aCall())).to.equal(true);
    await database.close();
  });

  describe('that is opened over a direct connection to the primary', () => {
    let database: MongoDatabase;
    let ports: OpenedPorts;

    before(async () => {
      const primary = await primaryOf(servers);
      database = await open(directUrl(primary, 'latchkey-direct'));
      ports = portsOf(database);
      await fillForReads(ports);
      for (const { ask } of reads) await ask(ports, aCall());
      await stepDown(primary);
    });
    after(() => database.close());

    it('is not ready when the primary has stepped down', async () => {
      expect(await database.isReady(aCall())).to.equal(false);
    });

    for (const { what, ask } of reads) {
      it(`does not read ${what} when the primary has stepped down`, async () => {
        expect((await refusalOf(ask(ports, aCall()))).code).to.equal('store_unavailable');
      });
    }
  });

  describe('that has lost two of its members', () => {
    before(async () => {
      for (const node of servers.nodes.slice(0, 2)) await node.signal('KILL');
    });

    for (const [when, timeout] of [
      ['until the driver has given up', 60_000],
      ['until the deadline', 4000],
    ] as const) {
      it(`is not opened, and says that there is no primary, having waited ${when}`, async () => {
        const hosts = servers.nodes.map(({ port }) => `127.0.0.1:${port}`).join(', ');
        expect(await messageOf(servers.url('latchkey'), deadlineIn(timeout))).to.equal(
          `MongoDB answers at ${hosts}, but there is no primary of the replica set rs0, and Latchkey reads and writes nowhere else. Wait for the election of one, or initiate the set.`,
        );
      });
    }
  });
});

function open(url: string): Promise<MongoDatabase> {
  return openMongoDatabase(url, { create: true }, aCall());
}

/** The message of a refusal to open. */
async function messageOf(url: string, deadline = deadlineIn(60_000)): Promise<string> {
  const error = await thrownBy(openMongoDatabase(url, { create: false }, aCall({ deadline })));
  if (!(error instanceof UnusableStore)) throw error;
  return error.message;
}
