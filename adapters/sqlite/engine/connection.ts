import { statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Database, { type Database as Connection } from 'better-sqlite3';
import type { Call } from '../../../core/call.ts';
import { UnusableStore, type OnUpgrade, type OpenOptions } from '../../../core/store/store.port.ts';
import { asDamage, asRefusal, isBusy, lostFiles, retryDelay, retryWhileBusy } from './errors.ts';
import { checkSchema, migrate } from './migrate.ts';
import {
  belongsToAnother,
  createFile,
  createFolder,
  expectReachable,
  hasNoLog,
  identityOf,
  isThere,
} from './store-files.ts';

/**
 * Opens the store file at `path`, and with `onUpgrade` brings its schema up to date. Creates it, for this user only, if
 * `create` is set. With `readOnly` a backup is only read; a store is opened as always, because its readers share its
 * write-ahead log. Throws `UnusableStore` if the file is missing, has another schema, is not a Latchkey store, or is not
 * readable and, but for such a backup, writable.
 *
 * SQLite's own busy timeout is 0, because it would block the whole process. `retryWhileBusy` and the batchers retry
 * instead.
 */
export async function openConnection(
  path: string,
  options: Pick<OpenOptions, 'create' | 'onUpgrade' | 'readOnly'>,
  call: Call,
): Promise<Connection> {
  const file = resolve(path);
  const [connection, identity] = connect(file, options);
  try {
    await retryWhileBusy(call, () => configure(connection, file, options.onUpgrade));
    // `store restore` may have replaced the file while it was busy.
    if (identityOf(file) !== identity) throw lostFiles();
  } catch (error) {
    connection.close();
    throw error;
  }
  opened.add(connection);
  return connection;
}

/** The connections of this process, with some that are closed. */
const opened = new Set<Connection>();

function isOpenHere(file: string): boolean {
  for (const connection of opened) if (!connection.open) opened.delete(connection);
  return [...opened].some(({ name }) => name === file);
}

/** Returns the connection, and which file was there before. */
function connect(
  file: string,
  { create, readOnly = false }: Pick<OpenOptions, 'create' | 'readOnly'>,
): readonly [Connection, identity: string | null] {
  try {
    expectReachable('store', file);
    if (create) {
      createFolder(dirname(file));
      createFile(file);
    } else if (statSync(file, { throwIfNoEntry: false }) === undefined) throw UnusableStore.missing(`at ${file}`);
    if (!isOpenHere(file) && belongsToAnother(file)) throw foreignLog(file);
    const readonly = readOnly && isAtRest(file);
    const identity = identityOf(file);
    return [new Database(file, { timeout: 0, fileMustExist: true, readonly }), identity];
  } catch (error) {
    throw error instanceof UnusableStore ? error : inaccessible(file, error);
  }
}

/** Whether the file alone is the whole store: a backup, or a restored store that was not opened since. */
function isAtRest(file: string): boolean {
  return !isOpenHere(file) && hasNoLog(file) && !isThere(`${file}-journal`);
}

function foreignLog(file: string): UnusableStore {
  return new UnusableStore(
    `${file} is a backup, and ${file}-wal belongs to the store that was there before. Remove ${file}-wal and ${file}-shm, or restore the backup from where you have it with \`latchkey store restore\`.`,
  );
}

function configure(connection: Connection, file: string, onUpgrade: OnUpgrade | undefined): void {
  try {
    // Before anything is written: a file of another program or release must stay as it is.
    checkSchema(connection, file, onUpgrade);
    if (connection.readonly) return;
    connection.pragma('journal_mode = WAL');
    connection.pragma('synchronous = FULL');
    // Deleted content is overwritten: an erased address must not stay in free pages, nor in later backups.
    connection.pragma('secure_delete = ON');
    migrate(connection, file, onUpgrade);
    checkWritable(connection);
  } catch (error) {
    if (!(error instanceof Database.SqliteError)) throw error;
    if (error.code === 'SQLITE_NOTADB') throw new UnusableStore(`${file} is not a Latchkey store.`, { cause: error });
    throw /^SQLITE_(READONLY|CANTOPEN|PERM)/.test(error.code) ? inaccessible(file, error) : asDamage(error, file);
  }
}

/** Throws if the file is read-only. Changes nothing; a file that another process is writing counts as writable. */
function checkWritable(connection: Connection): void {
  try {
    connection.exec('DELETE FROM products WHERE false');
  } catch (error) {
    if (!isBusy(error)) throw error;
  }
}

function inaccessible(file: string, cause: unknown): UnusableStore {
  const reason = 'cannot be opened or created: the file and its folder must be readable and writable';
  return new UnusableStore(`The store at ${file} ${reason}.`, { cause });
}

/** A second and a half, unless another process holds a lock for longer. */
const attempts = 600;

/**
 * Moves the write-ahead log into the store file and truncates it, so that it has no copy of what was deleted. Leaves
 * that to a later checkpoint if another process reads or writes all the time, as a backup does.
 */
export async function emptyLog(connection: Connection): Promise<void> {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    if (truncated(connection)) return;
    await sleep(retryDelay());
  }
}

function truncated(connection: Connection): boolean {
  try {
    const [result] = connection.pragma('wal_checkpoint(TRUNCATE)') as readonly { readonly busy: number }[];
    return result?.busy === 0;
  } catch (error) {
    if (isBusy(error)) return false;
    throw asRefusal(error);
  }
}
