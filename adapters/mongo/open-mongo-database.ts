import type { Call } from '../../core/call.ts';
import type { OpenOptions } from '../../core/store/store.port.ts';
import { connectTo } from './driver/connect.ts';
import { beforeDeadline } from './driver/deadline.ts';
import type { MongoDatabase } from './driver/mongo-database.ts';
import { makeReady, migrate, type MigrateOptions } from './schema/schema-version.ts';

/**
 * Opens the database that `url` names, and creates the store in an empty one if `create` is set. Throws `UnusableStore`
 * where `connectTo` and `makeReady` do.
 */
export function openMongoDatabase(
  url: string,
  options: Pick<OpenOptions, 'create' | 'onBatch'>,
  call: Call,
): Promise<MongoDatabase> {
  return open(connectTo(url, call, {}, options.onBatch), ({ db }) => beforeDeadline(call, makeReady(db, options)));
}

/** No timeout of a silent socket: building an index may take longer. */
const migrating = { appName: 'latchkey store migrate', socketTimeoutMS: 0 };

/**
 * Migrates a store to the schema of this release. Only connecting has to meet the deadline: a large store takes minutes.
 * Throws `UnusableStore` where `openMongoDatabase` does, and without `force` where other processes must be stopped first.
 */
export async function migrateMongoDatabase(
  url: string,
  options: Pick<MigrateOptions, 'force' | 'onUpgrade'>,
  call: Call,
): Promise<void> {
  const database = await open(connectTo(url, call, migrating), ({ db }) => migrate(db, options));
  await database.close();
}

async function open(
  connected: Promise<MongoDatabase>,
  prepare: (database: MongoDatabase) => Promise<void>,
): Promise<MongoDatabase> {
  const database = await connected;
  try {
    await prepare(database);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}
