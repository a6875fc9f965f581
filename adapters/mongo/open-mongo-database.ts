import type { Call } from '../../core/call.ts';
import { connectTo } from './driver/connect.ts';
import { beforeDeadline } from './driver/deadline.ts';
import type { MongoDatabase } from './driver/mongo-database.ts';
import { makeReady, migrate } from './schema/schema-version.ts';

/**
 * Opens the database that `url` names, and creates the store in an empty one if `create` is set. Throws `UnusableStore`
 * where `connectTo` and `makeReady` do.
 */
export function openMongoDatabase(
  url: string,
  options: { readonly create: boolean },
  call: Call,
): Promise<MongoDatabase> {
  return open(url, call, (database) => makeReady(database.db, options));
}

/** Migrates a store to the schema of this release. Throws `UnusableStore` where `openMongoDatabase` does. */
export async function migrateMongoDatabase(url: string, call: Call): Promise<void> {
  const database = await open(url, call, ({ db }) => migrate(db));
  await database.close();
}

async function open(
  url: string,
  call: Call,
  prepare: (database: MongoDatabase) => Promise<void>,
): Promise<MongoDatabase> {
  const database = await connectTo(url, call);
  try {
    await beforeDeadline(call, prepare(database));
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}
