import { randomUUID } from 'node:crypto';
import { MongoClient } from 'mongodb';
import { borrowServer, type BorrowedServer } from './borrowed-server.ts';

/**
 * A database of its own on the server that `MONGODB_URI` names, where it is removed after the test, or else on the one
 * that all tests share.
 */
export async function freshDatabase(): Promise<{ readonly url: string; readonly remove: () => Promise<void> }> {
  const given = process.env['MONGODB_URI'];
  if (given === undefined) {
    const shared = await borrowServer('shared');
    return { url: shared.url(freshDatabaseName()), remove: async () => {} };
  }
  const url = given.replace(/^([^/]+\/\/[^/?]+)\/?[^?]*/, `$1/${freshDatabaseName()}`);
  const remove = async (): Promise<void> => {
    const client = new MongoClient(url);
    await client.db().dropDatabase();
    await client.close();
  };
  return { url, remove };
}

/** A database of its own on the server of this file. */
export async function ownDatabaseUrl(): Promise<string> {
  return (await ownServer()).url(freshDatabaseName());
}

/** A server for the tests of this file alone, so that they may make its commands fail. They leave it as it was. */
export function ownServer(): Promise<BorrowedServer> {
  return borrowServer('own');
}

function freshDatabaseName(): string {
  return `latchkey-test-${randomUUID()}`;
}
