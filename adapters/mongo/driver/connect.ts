import { MongoClient, MongoServerError, ReadConcern, type Db, type DbOptions, type MongoClientOptions } from 'mongodb';
import type { Call } from '../../../core/call.ts';
import { UnusableStore } from '../../../core/store/unusable-store.ts';
import { within } from './deadline.ts';
import { MongoStore, type Topology } from './mongo-store.ts';
import { makeReady, migrate } from '../schema/schema-version.ts';

const authenticationFailed = 18;

/**
 * What the store's address cannot change. Selection and queue end before the usual deadline of five seconds; a socket
 * that is silent for ten is given up long after its callers were answered. The driver repeats nothing by itself:
 * it would not know until when, nor whether that is safe.
 */
const options: MongoClientOptions = {
  appName: 'latchkey',
  serverSelectionTimeoutMS: 4500,
  connectTimeoutMS: 2000,
  socketTimeoutMS: 10_000,
  waitQueueTimeoutMS: 4500,
  heartbeatFrequencyMS: 500,
  retryReads: false,
  retryWrites: false,
};

/** What every command promises. The address could change parts of it where it is an option of the client. */
const concerns: DbOptions = {
  readConcern: new ReadConcern('majority'),
  readPreference: 'primary',
  writeConcern: { w: 'majority', journal: true },
};

/**
 * Connects to the database that the address names. Throws `UnusableStore` for an address that names none, for a
 * database that is not Latchkey's, of another schema, or without an index that it needs, and where no server answers.
 */
export async function openMongo(url: string, may: { readonly create: boolean }, call: Call): Promise<MongoStore> {
  return opened(url, call, (database) => makeReady(database, may));
}

/** Brings a store of an older schema up to date; one that is, stays as it is. */
export async function migrateMongo(url: string, call: Call): Promise<void> {
  const store = await opened(url, call, migrate);
  await store.close();
}

async function opened(url: string, call: Call, prepare: (database: Db) => Promise<void>): Promise<MongoStore> {
  const client = connection(url);
  try {
    await connect(client, call);
    return await within(
      call,
      (async () => {
        const database = client.db(undefined, concerns);
        await prepare(database);
        return new MongoStore(client, database, await topologyOf(database));
      })(),
    );
  } catch (error) {
    await client.close();
    throw error;
  }
}

function connection(url: string): MongoClient {
  const client = clientOf(url);
  if (!/^[^/]+\/\/[^/]+\/[^/?]+(\?|$)/.test(url)) {
    throw new UnusableStore('The address of the store must name a database: mongodb://host/database.');
  }
  return client;
}

function clientOf(url: string): MongoClient {
  try {
    return new MongoClient(url, options);
  } catch {
    // What the driver says may repeat a credential.
    throw new UnusableStore(
      'The address of the store is not one that MongoDB understands: a user name or password with : / ? # [ ] @ % in it must be percent-encoded.',
    );
  }
}

/** Throws `UnusableStore` where nobody answers before the deadline, or the credentials are not accepted. */
async function connect(client: MongoClient, call: Call): Promise<void> {
  const { srvHost, hosts } = client.options;
  const unreachable = (cause: unknown): UnusableStore =>
    new UnusableStore(`No MongoDB answers at ${srvHost ?? hosts.join(', ')}.`, { cause });
  let isAnswered = false;
  const connected = client.connect().catch((error: unknown) => {
    if (!(error instanceof MongoServerError)) throw unreachable(error);
    isAnswered = true;
    if (error.code !== authenticationFailed) throw error;
    throw new UnusableStore('MongoDB does not accept the credentials in the address of the store.');
  });
  try {
    await within(call, connected);
  } catch (error) {
    throw isAnswered ? error : unreachable(error);
  }
}

async function topologyOf(database: Db): Promise<Topology> {
  const hello = await database.command({ hello: 1 });
  if (hello['msg'] === 'isdbgrid') return 'sharded cluster';
  return typeof hello['setName'] === 'string' ? 'replica set' : 'standalone';
}
