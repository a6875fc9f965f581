import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import Database, { type Database as Connection, type Statement } from 'better-sqlite3';
import { openConnection } from '../../../adapters/sqlite/engine/connection.ts';
import { migrations, oldestSchema } from '../../../adapters/sqlite/engine/migrations/migrations.ts';
import { SqliteDatabase } from '../../../adapters/sqlite/engine/sqlite-database.ts';
import { openSqliteStore, sharedRetention, sqliteStore } from '../../../adapters/sqlite/open-sqlite-store.ts';
import { defaultTtl, retentionFor, type Retention } from '../../../core/entitlement/idempotency/retention.ts';
import type { Store } from '../../../core/store/store.port.ts';
import { aCall } from '../builders.ts';
import { afterFile } from '../lending/after-file.ts';

let bytes: Promise<Buffer> | null = null;

/** Writes an empty store to a file that does not exist: those bytes that the first one of this process has after all migrations. */
export async function writeEmptyStore(path: string): Promise<void> {
  await writeFile(path, await (bytes ??= makeEmptyStore()), { mode: 0o600, flag: 'wx' });
}

/** Writes an empty store with the oldest schema that this release upgrades to a file that does not exist. */
export function writeOldestStore(path: string): void {
  const connection = new Database(path);
  for (const { sql } of migrations.slice(0, 1)) connection.exec(sql);
  connection.pragma('application_id = 0x4c4b4559');
  connection.pragma(`user_version = ${oldestSchema}`);
  connection.close();
}

async function makeEmptyStore(): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-'));
  try {
    const path = join(folder, 'latchkey.db');
    const store = await openSqliteStore(path, { create: true }, retentionFor(defaultTtl), aCall());
    await store.close();
    return await readFile(path);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** A file that stays open. */
interface OpenFile {
  readonly path: string;
  readonly connection: Connection;
  /** Those that its stores prepared when they were opened. */
  readonly statements: Statement[];
  /** Leaves the rows of an empty store. */
  readonly empty: () => void;
}

/** Those whose store is closed, the one that was left first at the front. */
const left: OpenFile[] = [];

/**
 * Opens an empty store on a file that stays open when the store is closed. The next store on it finds its statements
 * prepared, which is most of the work of opening one.
 */
export async function openEmptyStore(retention: Retention): Promise<{ readonly path: string; readonly store: Store }> {
  const used = left.shift();
  used?.empty();
  const file = used ?? (await openFile());
  let isInUse = true;
  const close = (): void => {
    if (isInUse) left.push(file);
    isInUse = false;
  };
  const connection: Connection = Object.assign(Object.create(file.connection), { prepare: preparing(file), close });
  const database = new SqliteDatabase(connection);
  const store = sqliteStore(database, sharedRetention(database, retention));
  // Statements that a store prepares later are its own.
  Reflect.deleteProperty(connection, 'prepare');
  return { path: file.path, store };
}

afterFile(async () => {
  for (const { path, connection } of left.splice(0)) {
    connection.close();
    await rm(dirname(path), { recursive: true });
  }
});

async function openFile(): Promise<OpenFile> {
  const path = join(await mkdtemp(join(tmpdir(), 'latchkey-')), 'latchkey.db');
  await writeEmptyStore(path);
  const connection = await openConnection(path, { create: false }, aCall());
  const tables = connection.prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all();
  const removals = tables.map((name) =>
    connection.prepare(
      name === 'listing_changes' ? 'UPDATE listing_changes SET last = 0, forgotten = 0' : `DELETE FROM ${name}`,
    ),
  );
  const empty = connection.transaction(() => {
    for (const removal of removals) removal.run();
  });
  return { path, connection, statements: [], empty };
}

/** Prepares the statements of a store, or takes those of the stores before it, which prepared the same in this order. */
function preparing({ connection, statements }: OpenFile): (sql: string) => Statement {
  let next = 0;
  return (sql) => {
    const statement = statements[next] ?? connection.prepare(sql);
    if (statement.source !== sql) throw new Error(`another statement was prepared before: ${statement.source}`);
    statements[next] = statement;
    next += 1;
    return statement;
  };
}
