import { expect } from 'chai';
import { MongoClient, ReadConcern, WriteConcern, type Db } from 'mongodb';
import { connectTo } from '../../../adapters/mongo/driver/connect.ts';
import { migrateMongoDatabase, openMongoDatabase } from '../../../adapters/mongo/open-mongo-database.ts';
import { migrations, oldestSchema, type Migration } from '../../../adapters/mongo/schema/migrations.ts';
import { currentSchemaVersion, makeReady, migrate } from '../../../adapters/mongo/schema/schema-version.ts';
import { checkStoreUrl } from '../../../app/stores/open-store.ts';
import { UnusableStore } from '../../../core/store/store.port.ts';
import { aCall, aSubscription, deadlineIn, granted } from '../../support/builders.ts';
import { TestCommandLine } from '../../support/cli/command-line.ts';
import { failures, whileFailing } from '../../support/mongo/fail-point.ts';
import { startServers } from '../../support/mongo/mongod.ts';
import { ownDatabaseUrl, ownServer } from '../../support/mongo/mongodb.ts';
import { range } from '../../support/range.ts';
import { openAt } from '../../support/stores/stores.ts';
import { refusalOf, thrownBy } from '../../support/thrown.ts';

describe('opening a MongoDB store', () => {
  let url = '';
  beforeEach(async () => {
    url = await ownDatabaseUrl();
  });

  it('creates the store in an empty database, and reports the kind of server', async () => {
    const store = await openMongoDatabase(url, { create: true }, aCall());
    expect([store.topology, await store.isReady(aCall())]).to.deep.equal(['replica set', true]);
    await store.close();
    expect(await inDatabase((database) => database.collection('schema').find().toArray())).to.deep.equal([
      { _id: 'latchkey', version: currentSchemaVersion },
    ]);
  });

  it('lets four processes create the store in one empty database at once', async () => {
    const opened = await Promise.all(range(4).map(() => openMongoDatabase(url, { create: true }, aCall())));
    await Promise.all(opened.map((store) => store.close()));
    await (await openMongoDatabase(url, { create: false }, aCall())).close();
  });

  it('completes what a killed process began', async () => {
    await inDatabase((database) => database.collection<Schema>('schema').insertOne({ _id: 'latchkey', version: 0 }));
    await inDatabase((database) =>
      database.collection('entitlements').createIndex({ productId: 1, _id: 1 }, { name: 'product' }),
    );
    await (await openMongoDatabase(url, { create: true }, aCall())).close();
    await (await openMongoDatabase(url, { create: false }, aCall())).close();
  });

  for (const [index, { name }] of migrations.entries()) {
    it(`completes a creation that ended before ${name}`, async () => {
      const ends: Migration = { name: 'ends', run: () => Promise.reject(new Error('killed')) };
      const begun = inDatabase((database) => makeReady(database, { create: true }, migrations.with(index, ends)));
      expect(await thrownBy(begun)).to.include({ message: 'killed' });
      await (await openMongoDatabase(url, { create: true }, aCall())).close();
    });
  }

  for (const command of ['listCollections', 'find', 'update', 'createIndexes', 'listIndexes']) {
    for (const { name, failure, applied } of failures) {
      if (applied && !['update', 'createIndexes'].includes(command)) continue;

      it(`fails when its ${command} ${name}, and succeeds the next time`, async () => {
        const admin = (await ownServer()).url('admin');
        const open = (): Promise<unknown> => openMongoDatabase(url, { create: true }, aCall());
        const { code } = await whileFailing(admin, [command], failure, () => refusalOf(open()), 1);
        expect(code).to.equal('store_unavailable');
        await (await openMongoDatabase(url, { create: true }, aCall())).close();
      });
    }
  }

  it('creates no store if it must not', async () => {
    expect(await messageOfRefusal(false)).to.match(/^There is no store in the database latchkey-test-/);
  });

  it('refuses the database of another program', async () => {
    await inDatabase((database) => database.collection('customers').insertOne({}));
    expect(await messageOfRefusal()).to.match(/is not a Latchkey store\.$/);
  });

  it('refuses a newer schema and leaves it alone', async () => {
    await createStore();
    await inDatabase((database) => database.collection('schema').updateOne({}, { $set: { version: 99 } }));
    const message = `The store has schema 99; this release knows schemas up to ${currentSchemaVersion}. Use a newer release.`;
    expect(await messageOfRefusal()).to.equal(message);
    expect(await thrownBy(migrateMongoDatabase(url, {}, aCall()))).to.include({ message });
  });

  it('refuses an older schema until it is migrated', async () => {
    await createStore();
    const newer = [...migrations, { name: 'added', run: async (db: Db) => void (await db.createCollection('added')) }];
    await inDatabase(async (database) => {
      expect(await thrownBy(makeReady(database, { create: true }, newer))).to.include({
        message: `The store has schema ${currentSchemaVersion}; this release needs ${currentSchemaVersion + 1}. Run \`latchkey store migrate\` first.`,
      });
      await migrate(database, { steps: newer });
      await makeReady(database, { create: false }, newer);
    });
  });

  it('migrates a store by a command, which confirms it', async () => {
    const done = { exitCode: 0, stdout: 'The store has the schema of this release.\n', stderr: '' };
    expect(await new TestCommandLine().run(['store', 'migrate', '--store', url])).to.deep.equal(done);
    await (await openMongoDatabase(url, { create: false }, aCall())).close();
  });

  it('refuses a schema that is too old, with the release that upgrades it, and leaves it alone', async () => {
    await createStore();
    const version = oldestSchema - 1;
    await inDatabase((database) => database.collection('schema').updateOne({}, { $set: { version } }));
    const message = `The store has schema ${version}; this release upgrades schemas from ${oldestSchema} on. Run \`latchkey store migrate\` of release 0.2.0 first.`;
    expect(await messageOfRefusal()).to.equal(message);
    expect(await thrownBy(migrateMongoDatabase(url, {}, aCall()))).to.include({ message });
  });

  it('migrates a store once, however often the migration is run', async () => {
    await migrateMongoDatabase(url, {}, aCall());
    await migrateMongoDatabase(url, {}, aCall());
    expect(await inDatabase((database) => database.collection('schema').find().toArray())).to.deep.equal([
      { _id: 'latchkey', version: currentSchemaVersion },
    ]);
  });

  it('refuses a store without one of its indexes', async () => {
    await createStore();
    await inDatabase((database) => database.collection('entitlements').dropIndex('record_key'));
    expect(await messageOfRefusal()).to.match(/^The index record_key of the collection entitlements is missing, /);
  });

  it('refuses a store with an index that differs from its own', async () => {
    await createStore();
    await inDatabase(async (database) => {
      await database.collection('entitlements').dropIndex('license_digest');
      await database.collection('entitlements').createIndex({ 'license.digest': 1 }, { name: 'license_digest' });
    });
    expect(await messageOfRefusal()).to.match(
      /^The index license_digest of the collection entitlements is not the one /,
    );
  });

  for (const [what, address] of [
    ['names no database', 'mongodb://127.0.0.1:27017'],
    ['names no database but options', 'mongodb://127.0.0.1:27017/?replicaSet=rs0'],
    ['has an unknown option', 'mongodb://secret:secret@127.0.0.1:27017/latchkey?colour=red'],
    [
      'has an option with a value that it cannot have',
      'mongodb://secret:secret@127.0.0.1:27017/latchkey?compressors=none-such',
    ],
    ['has a slash in its password', 'mongodb://secret:secret/secret@127.0.0.1:27017/latchkey'],
    ['has options that exclude each other', 'mongodb://127.0.0.1:27017/latchkey?tls=true&ssl=false'],
    ['names a database with a dot', 'mongodb://127.0.0.1:27017/latchkey.secret'],
    ['is badly encoded', 'mongodb://secret:%secret@127.0.0.1:27017/latchkey'],
  ] as const) {
    it(`refuses an address that ${what}, without repeating it`, async () => {
      const error = await thrownBy(openMongoDatabase(address, { create: true }, aCall()));
      expect(error).to.be.instanceOf(UnusableStore);
      expect(error)
        .to.have.property('message')
        .that.matches(/^The address of the store /)
        .and.not.includes('secret');
    });
  }

  const credentials = 'is not one that MongoDB understands: a user name or password with';
  const unknown = 'has options that MongoDB does not know, or not with their values:';
  for (const [address, message] of [
    ['h/d?useNewUrlParser=true&appName=x', `${unknown} useNewUrlParser.`],
    ['h/d?appName=x&poolSize=20&colour=red', `${unknown} poolSize, colour.`],
    ['u:p@h/d?readPreference=nearby', `${unknown} readPreference.`],
    ['h/d?maxPoolSize=many', `${unknown} maxPoolSize.`],
    ['h/d?svc_secret/=1', `${unknown} ***.`],
    ['h/d?tls=true&ssl=false', 'has options that exclude each other: tls, ssl.'],
    ['h:99999/d', 'does not name hosts as MongoDB does: mongodb://HOST:PORT/DATABASE.'],
    ['/d', 'does not name hosts as MongoDB does: mongodb://HOST:PORT/DATABASE.'],
    ['u:p@h:port/d?colour=red', 'does not name hosts as MongoDB does: mongodb://HOST:PORT/DATABASE.'],
    ['h', 'must name a database: mongodb://host/database.'],
    ['h/a.b', 'names a database as MongoDB does not.'],
    ['u:p@ss@h/d', credentials],
    ['u:p?ss@h/d?colour=red', credentials],
    ['u:p%h@h/d?colour=red', credentials],
  ] as const) {
    it(`says what is wrong with ${address}, also to who checks the settings`, async () => {
      for (const check of [
        () => openMongoDatabase(`mongodb://${address}`, { create: true }, aCall()),
        () => checkStoreUrl(`mongodb://${address}`),
      ]) {
        const error = await thrownBy(check());
        expect(error).to.be.instanceOf(UnusableStore);
        expect((error as Error).message.startsWith(`The address of the store ${message}`)).to.equal(true);
      }
    });
  }

  it('says that a file of the address cannot be read, and that a server has no TLS', async () => {
    const { host } = new URL(url);
    const file = await thrownBy(connectTo(`mongodb://${host}/latchkey?tls=true&tlsCAFile=/none/ca.pem`, aCall()));
    expect(file).to.have.property('message', 'A file that an option in the address of the store names cannot be read.');
    const tls = await thrownBy(connectTo(`mongodb://${host}/latchkey?tls=true&directConnection=true`, aCall()));
    expect(tls)
      .to.have.property('message')
      .that.matches(/^The MongoDB at 127\.0\.0\.1:\d+ does not answer as the TLS options .* ask \(E[A-Z_]+\)\.$/);
  });

  it('refuses credentials that the server does not accept, without repeating them', async () => {
    const address = url.replace('mongodb://', 'mongodb://nobody:secret@');
    const error = await thrownBy(openMongoDatabase(address, { create: true }, aCall()));
    expect(error).to.be.instanceOf(UnusableStore);
    expect(error).to.include({ message: 'MongoDB does not accept the credentials in the address of the store.' });
  });

  it('uses its own read and write concerns, whatever the address says', async () => {
    const weaker = 'journal=false&w=1&wtimeoutMS=1&readConcernLevel=local&readPreference=secondaryPreferred';
    const store = await openMongoDatabase(`${url}&${weaker}`, { create: true }, aCall());
    const { writeConcern, readConcern, readPreference } = store.collection('waitlist');
    await store.close();
    expect({ writeConcern, readConcern, readPreference: readPreference?.mode }).to.deep.equal({
      writeConcern: new WriteConcern('majority', undefined, true),
      readConcern: new ReadConcern('majority'),
      readPreference: 'primary',
    });
  });

  for (const [what, address, timeout, place] of [
    [
      'before the deadline',
      'mongodb://u:secret@127.0.0.1:1,127.0.0.1:2/d?replicaSet=r',
      300,
      '127.0.0.1:1, 127.0.0.1:2',
    ],
    ['under a name that does not exist', 'mongodb+srv://u:secret@h.invalid/d', 10_000, 'h.invalid'],
  ] as const) {
    it(`reports the address at which no server answers ${what}`, async () => {
      const call = aCall({ deadline: deadlineIn(timeout) });
      const error = await thrownBy(openMongoDatabase(address, { create: true }, call));
      expect(error).to.be.instanceOf(UnusableStore).with.property('message', `No MongoDB answers at ${place}.`);
    });
  }

  it('opens a store on a standalone server', async () => {
    const servers = await startServers(null);
    const opened = await openMongoDatabase(servers.url('latchkey'), { create: true }, aCall());
    expect([opened.topology, await opened.isReady(aCall())]).to.deep.equal(['standalone', true]);
    await opened.close();
    const store = await openAt(servers.url('latchkey'));
    await store.allEntitlements.add(granted([aSubscription()]), aCall());
    expect(await store.entitlements.find('ent_1', 'prod_1', aCall())).to.deep.equal(aSubscription());
    await store.close();
    await servers.end();
  });

  async function createStore(): Promise<void> {
    await (await openMongoDatabase(url, { create: true }, aCall())).close();
  }

  /** Returns the message of the refusal to open. */
  async function messageOfRefusal(create = true): Promise<string> {
    const error = await thrownBy(openMongoDatabase(url, { create }, aCall()));
    if (!(error instanceof UnusableStore)) throw error;
    return error.message;
  }

  async function inDatabase<T>(work: (database: Db) => Promise<T>): Promise<T> {
    const client = new MongoClient(url);
    try {
      return await work(client.db());
    } finally {
      await client.close();
    }
  }
});

interface Schema {
  readonly _id: string;
  readonly version: number;
}
