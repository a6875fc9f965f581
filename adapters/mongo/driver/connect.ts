import {
  MongoServerError,
  MongoServerSelectionError,
  ReadConcern,
  ReadPreference,
  type DbOptions,
  type Document,
  type MongoClient,
  type MongoClientOptions,
} from 'mongodb';
import type { Call } from '../../../core/call.ts';
import { UnusableStore, type OnBatch } from '../../../core/store/store.port.ts';
import { clientAt } from './address.ts';
import { CausalTime } from './causal-time.ts';
import { beforeDeadline } from './deadline.ts';
import { MongoDatabase, type Topology } from './mongo-database.ts';

const authenticationFailed = 18;

/**
 * Connects to the database that the address names; `own` replaces some of the options. Throws `UnusableStore` if the
 * address is invalid or names no database, if no server answers or none of them is a primary, and if the server refuses
 * the credentials.
 */
export async function connectTo(
  url: string,
  call: Call,
  own: MongoClientOptions = {},
  onBatch?: OnBatch,
): Promise<MongoDatabase> {
  const client = clientAt(url, own);
  try {
    const causalTime = new CausalTime();
    client.on('serverHeartbeatSucceeded', ({ reply }) => causalTime.observe(reply));
    const hello = await connect(client, call);
    const db = client.db(undefined, concernsOf(client));
    return new MongoDatabase({ client, db, topology: topologyOf(hello), causalTime, onBatch });
  } catch (error) {
    await client.close();
    throw error;
  }
}

/** The concerns of every command. They are options of the database, because the address can change those of the client. */
function concernsOf(client: MongoClient): DbOptions {
  return {
    readConcern: new ReadConcern('majority'),
    readPreference: client.options.directConnection ? directPrimary() : ReadPreference.primary,
    writeConcern: { w: 'majority', journal: true },
  };
}

/**
 * The read preference `primary` over a direct connection. The driver sends `primaryPreferred` there in its place, so that
 * a secondary would answer; any other mode it sends as `toJSON` has it. With `primary`, a server refuses to read as soon
 * as it has stepped down.
 */
function directPrimary(): ReadPreference {
  const preference = new ReadPreference('primaryPreferred');
  preference.toJSON = () => ({ mode: 'primary' });
  return preference;
}

/** Connects, and returns the primary's reply to `hello`. */
async function connect(client: MongoClient, call: Call): Promise<Document> {
  const heard = { server: false, primary: false };
  client.on('serverHeartbeatSucceeded', ({ reply }) => {
    heard.server = true;
    heard.primary ||= reply['isWritablePrimary'] === true;
  });
  const unusable = (cause: unknown): UnusableStore =>
    new UnusableStore(heard.server && !heard.primary ? withoutPrimary(client) : withoutServer(client, cause), {
      cause,
    });
  let isPending = true;
  const hello = helloOfPrimary(client)
    .catch((error: unknown) => {
      if (!(error instanceof MongoServerError)) throw unusable(error);
      if (error.code !== authenticationFailed) throw error;
      throw new UnusableStore('MongoDB does not accept the credentials in the address of the store.');
    })
    .finally(() => {
      isPending = false;
    });
  try {
    return await beforeDeadline(call, hello);
  } catch (error) {
    throw isPending ? unusable(error) : error;
  }
}

async function helloOfPrimary(client: MongoClient): Promise<Document> {
  await client.connect();
  const hello = await client.db().command({ hello: 1 });
  // Over a direct connection, any server answers.
  if (hello['isWritablePrimary'] !== true) throw new Error('the server is not a primary');
  return hello;
}

function withoutServer(client: MongoClient, cause: unknown): string {
  const errors = errorsIn(cause);
  if (errors.some(({ syscall }) => syscall === 'open')) {
    return 'A file that an option in the address of the store names cannot be read.';
  }
  const ofTls = errors.filter(isOfTls);
  if (ofTls.length === 0) return `No MongoDB answers at ${placeOf(client)}.`;
  const code = ofTls.find((error) => error.code !== undefined)?.code ?? 'no code';
  return `The MongoDB at ${placeOf(client)} does not answer as the TLS options in the address of the store ask (${code}).`;
}

function isOfTls({ code = '', message }: NodeJS.ErrnoException): boolean {
  return /^ERR_(SSL|TLS)|CERT|SIGNATURE|^EPROTO$/.test(code) || message.includes('before secure TLS connection');
}

/** An error of the driver and those that caused it, which for the selection of a server are those of each server. */
function errorsIn(error: unknown): readonly NodeJS.ErrnoException[] {
  if (!(error instanceof Error)) return [];
  const servers = error instanceof MongoServerSelectionError ? [...(error.reason?.servers.values() ?? [])] : [];
  return [error, ...[error.cause, ...servers.map((server) => server.error)].flatMap(errorsIn)];
}

function withoutPrimary(client: MongoClient): string {
  const { directConnection, replicaSet } = client.options;
  if (directConnection) {
    return `The MongoDB at ${placeOf(client)} is not a primary, and Latchkey reads and writes nowhere else. Name the members of its replica set in the address, without directConnection: mongodb://HOST,HOST/DATABASE?replicaSet=NAME.`;
  }
  const set = replicaSet === undefined ? '' : ` of the replica set ${replicaSet}`;
  return `MongoDB answers at ${placeOf(client)}, but there is no primary${set}, and Latchkey reads and writes nowhere else. Wait for the election of one, or initiate the set.`;
}

function placeOf({ options: { srvHost, hosts } }: MongoClient): string {
  return srvHost ?? hosts.join(', ');
}

function topologyOf(hello: Document): Topology {
  if (hello['msg'] === 'isdbgrid') return 'sharded cluster';
  return typeof hello['setName'] === 'string' ? 'replica set' : 'standalone';
}
