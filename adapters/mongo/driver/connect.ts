import { MongoClient, MongoServerError, ReadConcern, type Db, type DbOptions, type MongoClientOptions } from 'mongodb';
import type { Call } from '../../../core/call.ts';
import { UnusableStore } from '../../../core/store/unusable-store.ts';
import { beforeDeadline } from './deadline.ts';
import { MongoDatabase, type Topology } from './mongo-database.ts';

const authenticationFailed = 18;

/**
 * Options that the store's address cannot override. The timeouts of server selection and of the queue for a connection
 * are below the default deadline of five seconds; that of a silent socket is far above it. The driver retries nothing by
 * itself: it knows neither the deadline nor whether a write is safe to repeat.
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

/** The concerns of every command. They are options of the database, because the address can change those of the client. */
const concerns: DbOptions = {
  readConcern: new ReadConcern('majority'),
  readPreference: 'primary',
  writeConcern: { w: 'majority', journal: true },
};

/**
 * Connects to the database that the address names. Throws `UnusableStore` if the address is invalid or names no
 * database, if no server answers, and if the server refuses the credentials.
 */
export async function connectTo(url: string, call: Call): Promise<MongoDatabase> {
  const client = clientOf(url);
  try {
    await connect(client, call);
    const db = client.db(undefined, concerns);
    return new MongoDatabase(client, db, await beforeDeadline(call, topologyOf(db)));
  } catch (error) {
    await client.close();
    throw error;
  }
}

function clientOf(url: string): MongoClient {
  const client = parse(url);
  if (!/^[^/]+\/\/[^/]+\/[^/?]+(\?|$)/.test(url)) {
    throw new UnusableStore('The address of the store must name a database: mongodb://host/database.');
  }
  return client;
}

function parse(url: string): MongoClient {
  try {
    return new MongoClient(url, options);
  } catch {
    // The driver's message may contain a credential.
    throw new UnusableStore(
      'The address of the store is not one that MongoDB understands: a user name or password with : / ? # [ ] @ % in it must be percent-encoded.',
    );
  }
}

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
    await beforeDeadline(call, connected);
  } catch (error) {
    throw isAnswered ? error : unreachable(error);
  }
}

async function topologyOf(db: Db): Promise<Topology> {
  const hello = await db.command({ hello: 1 });
  if (hello['msg'] === 'isdbgrid') return 'sharded cluster';
  return typeof hello['setName'] === 'string' ? 'replica set' : 'standalone';
}
