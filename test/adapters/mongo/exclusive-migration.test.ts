import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'chai';
import { MongoClient } from 'mongodb';
import { openMongoDatabase } from '../../../adapters/mongo/open-mongo-database.ts';
import { migrations, type Migration } from '../../../adapters/mongo/schema/migrations.ts';
import { migrate } from '../../../adapters/mongo/schema/schema-version.ts';
import { aCall } from '../../support/builders.ts';
import { ownDatabaseUrl } from '../../support/mongo/mongodb.ts';
import { thrownBy } from '../../support/thrown.ts';

const exclusive: Migration = { name: 'exclusive', isExclusive: true, run: async () => undefined };
const steps = [...migrations, exclusive];

describe('a migration of a MongoDB store that processes of the release before would damage', () => {
  let client: MongoClient;
  let older: MongoClient;

  beforeEach(async () => {
    const url = await ownDatabaseUrl();
    client = await new MongoClient(url).connect();
    await (await openMongoDatabase(url, { create: true }, aCall())).close();
    older = await new MongoClient(url, { appName: 'latchkey' }).connect();
    await older.db().command({ ping: 1 });
  });
  afterEach(() => Promise.all([client.close(), older.close()]));

  it('is refused while another process is connected, unless it is forced', async () => {
    const refused = await thrownBy(migrate(client.db(), { steps }));
    expect(refused)
      .to.have.property('message')
      .that.matches(/^Latchkey has \d+ open connections? to this MongoDB server \(from [\d.]+\)\. Stop /);
    await migrate(client.db(), { steps, force: true });
    // There is nothing left to do that the other process could damage.
    await migrate(client.db(), { steps });
  });

  it('goes on when that process stops a moment later', async () => {
    const migrated = migrate(client.db(), { steps });
    await wait(500);
    await older.close();
    await migrated;
  });
});
