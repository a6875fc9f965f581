import { randomUUID } from 'node:crypto';
import { MongoClient, type Db } from 'mongodb';
import type { MongoDatabase } from '../../../adapters/mongo/driver/mongo-database.ts';
import { openMongoDatabase } from '../../../adapters/mongo/open-mongo-database.ts';
import { aCall } from '../builders.ts';
import { afterFile } from '../lending/after-file.ts';
import { borrow } from '../lending/borrow.ts';

/** A MongoDB server of the run. */
interface BorrowedServer {
  /** The address of a database on it. */
  url(database: string): string;
}

export interface TestDatabase {
  readonly name: string;
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
  const name = freshDatabaseName();
  if (given === undefined) {
    return { name, url: urlOf(name, await borrow('mongodb')), remove: async () => {} };
  }
  const url = given.replace(/^([^/]+\/\/[^/?]+)\/?[^?]*/, `$1/${name}`);
  return { name, url, remove: () => drop(url) };
}

/** Databases in which earlier tests of this process have left a store, the one that was left first at the front. */
const left: TestDatabase[] = [];

let emptying: MongoClient | null = null;

/**
 * A fresh database, or one in which an earlier test has left a store, without its documents: to delete them takes a tenth
 * of the time of creating its collections and indexes.
 */
export async function emptyDatabase(): Promise<TestDatabase> {
  const used = left.shift();
  if (used !== undefined) await empty(used);
  const database = used ?? (await freshDatabase());
  return { ...database, remove: async () => void left.push(database) };
}

/** A store that is open. */
export interface OpenDatabase extends TestDatabase {
  readonly database: MongoDatabase;
}

/** Those that are open, the one that was left first at the front. */
const open: OpenDatabase[] = [];

/**
 * A store without documents in a database that stays open, which takes a third of the time of connecting to one and of
 * checking its indexes.
 */
export async function emptyOpenDatabase(): Promise<OpenDatabase> {
  const used = open.shift();
  if (used !== undefined) await emptyCollections(used.database.db);
  const one = used ?? (await opened(await emptyDatabase()));
  return { ...one, remove: async () => void open.push(one) };
}

async function opened(one: TestDatabase): Promise<OpenDatabase> {
  return { ...one, database: await openMongoDatabase(one.url, { create: true }, aCall()) };
}

/** Removes what tests have left, unless its server ends with the run. */
async function removeEmptied(): Promise<void> {
  await emptying?.close();
  emptying = null;
  ownUrl = null;
  for (const { database, remove } of open.splice(0)) {
    await database.close();
    await remove();
  }
  if (process.env['MONGODB_URI'] === undefined) return;
  for (const database of left.splice(0)) await database.remove();
}
afterFile(removeEmptied);

/** A database of its own on the server of this file. */
export async function ownDatabaseUrl(): Promise<string> {
  return (await ownServer()).url(freshDatabaseName());
}

let ownUrl: string | null = null;

/** Opens the store of this file on its server, without the documents that earlier tests have left. They have closed it. */
export async function openOwnDatabase(): Promise<MongoDatabase> {
  return (await ownOpenDatabase()).database;
}

/** The store of this file as `openOwnDatabase` opens it, with its address. To remove it closes it. */
export async function ownOpenDatabase(): Promise<OpenDatabase> {
  ownUrl ??= await ownDatabaseUrl();
  const database = await openMongoDatabase(ownUrl, { create: true }, aCall());
  await emptyCollections(database.db);
  return { name: database.db.databaseName, url: ownUrl, database, remove: () => database.close() };
}

/** A server for the tests of this file alone, so that they may make its commands fail. They leave it as it was. */
export async function ownServer(): Promise<BorrowedServer> {
  const server = await borrow('own mongodb');
  return { url: (database) => urlOf(database, server) };
}

function urlOf(database: string, server: string): string {
  return server.replace(/\/(?=\?)/, `/${database}`);
}

function freshDatabaseName(): string {
  return `latchkey-test-${randomUUID()}`;
}

async function drop(url: string): Promise<void> {
  const client = new MongoClient(url);
  await client.db().dropDatabase();
  await client.close();
}

async function empty({ name, url }: TestDatabase): Promise<void> {
  emptying ??= new MongoClient(url, { maxPoolSize: 4 });
  await emptyCollections(emptying.db(name));
}

/** Leaves the id of a collection where the store wrote it down, which is the same one for the next store. */
async function emptyCollections(db: Db): Promise<void> {
  const filled = await filledIn(db);
  await Promise.all(
    filled.map((name) => db.collection<{ readonly _id: string }>(name).deleteMany({ _id: { $ne: 'collection' } })),
  );
}

/** The collections that have documents, without that of the schema. One command asks all of them. */
async function filledIn(db: Db): Promise<readonly string[]> {
  const all = await db.listCollections({ name: { $ne: 'schema' } }, { nameOnly: true }).toArray();
  const asked = all.map(({ name: coll }) => ({
    $unionWith: { coll, pipeline: [{ $limit: 1 }, { $project: { _id: coll } }] },
  }));
  const filled = await db.collection<{ readonly _id: string }>('nothing').aggregate(asked).toArray();
  return filled.map(({ _id }) => _id as string);
}
