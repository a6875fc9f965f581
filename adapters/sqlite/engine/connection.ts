import { mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'better-sqlite3';
import type { Call } from '../../../core/call.ts';
import { Refusal } from '../../../core/refusal.ts';
import { UnusableStore } from '../../../core/store/unusable-store.ts';
import { migrations } from './migrations.ts';

export type Connection = Database.Database;

/** 'LKEY': tells a Latchkey store from any other SQLite file. */
const applicationId = 0x4c4b4559;

/**
 * Opens a store file, creates it if that is allowed, and brings its schema up to date. Throws `UnusableStore` for a
 * file that is missing, of a newer schema, not a Latchkey store, or not readable and writable.
 *
 * No statement ever waits for a lock inside SQLite, where it would stop the whole process: a busy file is retried
 * by `untilFree`.
 */
export async function openSqlite(path: string, may: { readonly create: boolean }, call: Call): Promise<Connection> {
  const file = resolve(path);
  const connection = connect(file, may);
  try {
    await untilFree(call, () => prepare(connection, file));
  } catch (error) {
    connection.close();
    throw error;
  }
  return connection;
}

/** Calls `work` again, after a short pause, as long as another process holds the lock that it needs and the caller waits. */
export async function untilFree<T>(call: Call, work: () => T): Promise<T> {
  for (;;) {
    try {
      return work();
    } catch (error) {
      if (!isBusy(error)) throw asRefusal(error);
      if (call.deadline.remaining() <= 0) throw new Refusal('store_unavailable', { cause: error });
      await sleep(busyPause());
    }
  }
}

/** What SQLite could not do, as `store_unavailable`; anything else as it is. */
export function asRefusal(error: unknown): unknown {
  return error instanceof Database.SqliteError ? new Refusal('store_unavailable', { cause: error }) : error;
}

export function isBusy(error: unknown): boolean {
  return error instanceof Database.SqliteError && /^SQLITE_(BUSY|LOCKED)/.test(error.code);
}

/** 1 to 4 ms, different each time, so that two processes do not keep meeting. */
export function busyPause(): number {
  return 1 + Math.random() * 3;
}

function connect(file: string, may: { readonly create: boolean }): Connection {
  try {
    if (may.create) mkdirSync(dirname(file), { recursive: true });
    else if (statSync(file, { throwIfNoEntry: false }) === undefined) throw missing(file);
    return new Database(file, { timeout: 0 });
  } catch (error) {
    throw error instanceof UnusableStore ? error : notUsable(file, error);
  }
}

function prepare(connection: Connection, file: string): void {
  try {
    schemaVersion(connection, file);
    connection.pragma('journal_mode = WAL');
    connection.pragma('synchronous = FULL');
    migrate(connection, file);
    tryToWrite(connection);
  } catch (error) {
    if (!(error instanceof Database.SqliteError)) throw error;
    if (error.code === 'SQLITE_NOTADB') throw new UnusableStore(`${file} is not a Latchkey store.`, { cause: error });
    throw /^SQLITE_(READONLY|CANTOPEN|PERM)/.test(error.code) ? notUsable(file, error) : error;
  }
}

/** Changes nothing, but throws for a file that may only be read; one that another process writes just now is none. */
function tryToWrite(connection: Connection): void {
  try {
    connection.exec('DELETE FROM products WHERE false');
  } catch (error) {
    if (!isBusy(error)) throw error;
  }
}

function missing(file: string): UnusableStore {
  return new UnusableStore(`There is no store at ${file}.`, { isMissing: true });
}

function notUsable(file: string, cause: unknown): UnusableStore {
  const sentence = 'cannot be opened or created: the file and its folder must be readable and writable';
  return new UnusableStore(`The store at ${file} ${sentence}.`, { cause });
}

function migrate(connection: Connection, file: string): void {
  if (schemaVersion(connection, file) === migrations.length) return;
  connection
    .transaction(() => {
      for (const step of migrations.slice(schemaVersion(connection, file))) connection.exec(step);
      connection.pragma(`application_id = ${applicationId}`);
      connection.pragma(`user_version = ${migrations.length}`);
    })
    .immediate();
}

/** Read in one transaction, so that a file that another process creates just now is seen empty or complete. */
function schemaVersion(connection: Connection, file: string): number {
  const { version, id, empty } = connection.transaction(() => ({
    version: Number(connection.pragma('user_version', { simple: true })),
    id: Number(connection.pragma('application_id', { simple: true })),
    empty: connection.prepare('SELECT count(*) FROM sqlite_schema').pluck().get() === 0,
  }))();
  if (id !== applicationId && !empty) throw new UnusableStore(`${file} is not a Latchkey store.`);
  if (version > migrations.length) {
    throw new UnusableStore(
      `${file} has schema ${version}; this release knows schemas up to ${migrations.length}. Use a newer release.`,
    );
  }
  return version;
}
