import { randomUUID } from 'node:crypto';
import { MongoClient } from 'mongodb';
import { startServers, type Servers } from './mongod.ts';

let servers: Promise<Servers> | null = null;

/**
 * A database of its own on the server that `MONGODB_URI` names, where it is removed after the test, or else on one
 * that is started now and ends with the run.
 */
export async function freshDatabase(): Promise<{ readonly url: string; readonly remove: () => Promise<void> }> {
  const given = process.env['MONGODB_URI'];
  if (given === undefined) return { url: await ownDatabaseUrl(), remove: async () => {} };
  const url = given.replace(/^([^/]+\/\/[^/?]+)\/?[^?]*/, `$1/${freshDatabaseName()}`);
  const remove = async (): Promise<void> => {
    const client = new MongoClient(url);
    await client.db().dropDatabase();
    await client.close();
  };
  return { url, remove };
}

/** A database of its own on a server that is the tests' alone, so that they may break it. */
export async function ownDatabaseUrl(): Promise<string> {
  return (await sharedServers()).url(freshDatabaseName());
}

function freshDatabaseName(): string {
  return `latchkey-test-${randomUUID()}`;
}

/** A replica set of one for all tests of the run that leave it as it was. */
export function sharedServers(): Promise<Servers> {
  servers ??= startServers(1);
  return servers;
}

// Programs that the tests start import this, too; they start no server, and there is nobody to end one for.
if (typeof after === 'function') {
  after(async () => {
    const started = await servers;
    await started?.end();
  });
}
