import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { link, open, rm, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import Database, { type Database as Connection, type Statement } from 'better-sqlite3';
import { deadlineIn, type Call } from '../../../core/call.ts';
import type { BackupOutcome, LastBackup } from '../../../core/maintenance/maintenance.port.ts';
import { codeOf, retryWhileBusy } from '../engine/errors.ts';
import type { SqliteDatabase } from '../engine/sqlite-database.ts';
import { createFile, flushFolder } from '../engine/store-files.ts';
import { isIntact } from './findings.ts';

/** Pages copied in one turn of the event loop: about 2 ms. */
const pagesPerTurn = 500;

const unwritableCodes = new Set(['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'EDQUOT']);
const unwritableSqliteCodes = /^SQLITE_(?:CANTOPEN|READONLY|FULL|IOERR)/;

/**
 * Copies the store of a connection to a new file, for this user only. The copy is written under a temporary name,
 * checked, flushed to disk and only then linked to `path`, which fails if that name is taken. So a file of that name is
 * always a complete backup.
 */
export async function backUp(
  source: Connection,
  path: string,
  call: Call,
  isStopped: () => boolean,
): Promise<BackupOutcome> {
  const file = resolve(path);
  if (existsSync(file)) return { kind: 'file exists' };
  if (!existsSync(dirname(file))) return { kind: 'not writable' };
  const { randomUUID } = await import('node:crypto');
  const partial = `${file}.${randomUUID()}.partial`;
  try {
    createFile(partial);
    await copy(source.name, partial, call, isStopped);
    finish(partial);
    await flush(partial);
    if (isStopped()) return { kind: 'stopped' };
    await link(partial, file);
    flushFolder(dirname(file));
    return { kind: 'copied', bytes: (await stat(file)).size };
  } catch (error) {
    if (error instanceof Stopped) return { kind: 'stopped' };
    const code = codeOf(error);
    if (code === 'EEXIST') return { kind: 'file exists' };
    if (unwritableCodes.has(code) || unwritableSqliteCodes.test(code)) return { kind: 'not writable' };
    throw error;
  } finally {
    for (const suffix of ['', '-wal', '-shm', '-journal']) await rm(`${partial}${suffix}`, { force: true });
  }
}

/** Ends a copy from within: SQLite closes its file. */
export class Stopped extends Error {}

/** Copies from within a read transaction: otherwise every commit of another process would restart the copy. */
export async function copy(from: string, to: string, call: Call, isStopped: () => boolean): Promise<void> {
  const reader = new Database(from, { readonly: true, timeout: 0 });
  try {
    await retryWhileBusy(call, () => {
      if (!reader.inTransaction) reader.exec('BEGIN');
      reader.pragma('user_version');
    });
    await reader.backup(to, {
      progress: () => {
        if (isStopped()) throw new Stopped();
        return pagesPerTurn;
      },
    });
  } finally {
    reader.close();
  }
}

/** Copies a store that no process has open, with the log of one that was killed. Nothing is left beside it. */
export async function copyAtRest(from: string, to: string, isStopped: () => boolean): Promise<void> {
  const unlessStopped = async function* (chunks: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
    for await (const chunk of chunks) {
      if (isStopped()) throw new Stopped();
      yield chunk;
    }
  };
  for (const suffix of ['', '-wal', '-journal'].filter((each) => existsSync(from + each))) {
    await pipeline(createReadStream(from + suffix), unlessStopped, createWriteStream(to + suffix, { mode: 0o600 }));
  }
}

/**
 * Ends the write-ahead mode of the copy, so that it is one file. Throws if the copy is damaged. Removes the sessions of
 * operators and the links of buyers, because a restored store must not know one that was ended meanwhile.
 */
export function finish(file: string): void {
  const connection = new Database(file, { fileMustExist: true });
  try {
    connection.pragma('journal_mode = DELETE');

    if (!isIntact(connection)) throw new Error('the copy of the store is damaged');
    connection.pragma('secure_delete = ON');
    for (const table of ['operator_sessions', 'buyer_links']) {
      // An older schema has no such table.
      const exists = connection.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?').get(table) !== undefined;
      if (exists) connection.exec(`DELETE FROM ${table}`);
    }
  } finally {
    connection.close();
  }
}

export async function flush(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Milliseconds to wait for the write. The call of a backup may have ended long before its copy. */
const writeTimeout = 5000;

/** The time of the last backup. It stands in the store, so that every process knows it. */
export class SqliteLastBackup {
  readonly #database: SqliteDatabase;
  readonly #read: Statement<[], { readonly at: number }>;
  readonly #write: Statement<[number]>;

  constructor(database: SqliteDatabase) {
    const { connection } = database;
    this.#database = database;
    this.#read = connection.prepare('SELECT at FROM last_backup');
    this.#write = connection.prepare(
      'INSERT INTO last_backup (id, at) VALUES (1, ?) ON CONFLICT (id) DO UPDATE SET at = max(at, excluded.at)',
    );
  }

  read(call: Call): Promise<LastBackup> {
    return this.#database.read(call, () => {
      const row = this.#read.get();
      return row === undefined ? { kind: 'none' } : { kind: 'made', at: new Date(row.at) };
    });
  }

  async write(at: Date): Promise<void> {
    const deadline = deadlineIn(writeTimeout, () => performance.now());
    await this.#database.write({ deadline }, () => this.#write.run(at.getTime()));
  }
}
