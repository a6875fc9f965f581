import { sqlitePorts } from '../../../adapters/sqlite/open-sqlite-store.ts';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqlite } from '../../../adapters/sqlite/engine/connection.ts';
import { SqliteStore } from '../../../adapters/sqlite/engine/sqlite-database.ts';
import { defaultTtl, retentionFor } from '../../../core/entitlement/idempotency/retention.ts';
import { aCall } from '../builders.ts';
import type { StorePorts } from '../../../core/store/store.port.ts';

/** A temporary folder for each test of the suite that calls this; gives the path of a file in it. */
export function temporaryFile(): (name?: string) => string {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'latchkey-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));
  return (name = 'latchkey.db') => join(folder, name);
}

/** A store file, its ports, and what lies under them. */
export interface SqliteFile extends StorePorts {
  readonly path: string;
  readonly store: SqliteStore;
}

/** A fresh store file for each test of the suite that calls this. */
export function sqliteFile(): () => SqliteFile {
  const path = temporaryFile();
  let opened: SqliteFile | null = null;
  beforeEach(async () => {
    const store = new SqliteStore(await openSqlite(path(), { create: true }, aCall()));
    opened = { path: path(), store, ...sqlitePorts(store, retentionFor(defaultTtl)) };
  });
  afterEach(() => opened?.store.close());
  return () => {
    if (opened === null) throw new Error('the file is open during a test only');
    return opened;
  };
}

/** How many transactions the write-ahead log of a store file holds: frames that end one name the size of the file. */
export function commitsIn(path: string): number {
  const log = readFileSync(`${path}-wal`);
  const pageSize = log.readUInt32BE(8);
  let commits = 0;
  for (let frame = 32; frame + 24 + pageSize <= log.length; frame += 24 + pageSize) {
    const current = log.compare(log, 16, 24, frame + 8, frame + 16) === 0;
    if (current && log.readUInt32BE(frame + 4) > 0) commits += 1;
  }
  return commits;
}
