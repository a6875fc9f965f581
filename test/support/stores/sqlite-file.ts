/** Temporary SQLite stores, for tests of what lies under the ports. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { openConnection } from '../../../adapters/sqlite/engine/connection.ts';
import { SqliteDatabase } from '../../../adapters/sqlite/engine/sqlite-database.ts';
import { sharedRetention, sqliteStore } from '../../../adapters/sqlite/open-sqlite-store.ts';
import { defaultTtl, retentionFor } from '../../../core/entitlement/idempotency/retention.ts';
import type { Store, StorePorts } from '../../../core/store/store.port.ts';
import { aCall } from '../builders.ts';
import { writeEmptyStore } from './empty-sqlite.ts';

/** Makes a folder in `place` for each test of the calling suite; returns the path of a file in it. */
export function temporaryFile(place = tmpdir()): (name?: string) => string {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(place, 'latchkey-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));
  return (name = 'latchkey.db') => join(folder, name);
}

/** An open store file: its ports, and the database under them. */
export interface SqliteFile extends StorePorts {
  readonly path: string;
  readonly database: SqliteDatabase;
}

/** Opens a new store file, in a folder in `place`, for each test of the calling suite. */
export function sqliteFile(place = tmpdir()): () => SqliteFile {
  const path = temporaryFile(place);
  let store: Store | null = null;
  let opened: SqliteFile | null = null;
  beforeEach(async () => {
    await writeEmptyStore(path());
    const database = new SqliteDatabase(await openConnection(path(), { create: false }, aCall()));
    store = sqliteStore(database, sharedRetention(database, retentionFor(defaultTtl)));
    opened = { path: path(), database, ...store.ports };
  });
  afterEach(() => store?.close());
  return () => {
    if (opened === null) throw new Error('the file is open during a test only');
    return opened;
  };
}

/** Counts the rows of a table, while other processes write. */
export async function rowsIn(path: string, table: 'entitlements' | 'listings'): Promise<number> {
  const connection = new Database(path, { readonly: true });
  try {
    return Number(connection.prepare(`SELECT count(*) FROM ${table}`).pluck().get());
  } finally {
    connection.close();
  }
}

/** Counts the transactions in the write-ahead log of a store file: the last frame of each states the size of the file. */
export function commitsIn(path: string): number {
  const log = readFileSync(`${path}-wal`);
  // Nothing was written since the file was opened.
  if (log.length === 0) return 0;
  const pageSize = log.readUInt32BE(8);
  let commits = 0;
  for (let frame = 32; frame + 24 + pageSize <= log.length; frame += 24 + pageSize) {
    const current = log.compare(log, 16, 24, frame + 8, frame + 16) === 0;
    if (current && log.readUInt32BE(frame + 4) > 0) commits += 1;
  }
  return commits;
}
