import { randomUUID } from 'node:crypto';
import { MongoClient } from 'mongodb';
import { borrowServer, type BorrowedServer } from './borrowed-server.ts';

export interface TestDatabase {
  readonly url: string;
  /** To be called after the test. */
  readonly remove: () => Promise<void>;
}

/**
 * A database of its own, without a schema, on the server that `MONGODB_URI` names or else on the one that all tests
 * share. Only the former is worth cleaning up: the latter ends with the run.
 */
export async function freshDatabase(): Promise<TestDatabase> {
  const given = process.env['MONGODB_URI'];
  if (given === undefined) {
    const shared = await borrowServer('shared');
    return { url: shared.url(freshDatabaseName()), remove: async () => {} };
  }
  const url = given.replace(/^([^/]+\/\/[^/?]+)\/?[^?]*/, `$1/${freshDatabaseName()}`);
  return { url, remove: () => drop(url) };
}

const emptied: TestDatabase[] = [];

/**
 * A fresh database, or one in which an earlier test of this file has left an empty store: to delete its documents takes
 * a tenth of the time of creating its collections and indexes.
 */
export async function emptyDatabase(): Promise<TestDatabase> {
  const database = emptied.pop() ?? (await freshDatabase());
  return {
    url: database.url,
    async remove() {
      await empty(database.url);
      emptied.push(database);
    },
  };
}

/** Removes what `emptyDatabase` has kept. Runs after each file. */
export async function removeEmptied(): Promise<void> {
  for (const database of emptied.splice(0)) await database.remove();
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

async function drop(url: string): Promise<void> {
  const client = new MongoClient(url);
  await client.db().dropDatabase();
  await client.close();
}

async function empty(url: string): Promise<void> {
  const client = new MongoClient(url);
  const db = client.db();
  const collections = await db.collections({ nameOnly: true });
  const documents = collections.filter(({ collectionName }) => collectionName !== 'schema');
  await Promise.all(documents.map((collection) => collection.deleteMany({})));
  await client.close();
}
