import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { link, open, rm, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import Database from 'better-sqlite3';
import type { Call } from '../../../core/call.ts';
import type { BackupOutcome } from '../../../core/maintenance/maintenance.port.ts';
import { isWhole } from './findings.ts';
import { untilFree, type Connection } from '../engine/connection.ts';

/** Copied in one turn of the event loop: about 2 ms. */
const pagesAtOnce = 500;

const notWritable = new Set(['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'EDQUOT']);
const notWritableSqlite = /^SQLITE_(?:CANTOPEN|READONLY|FULL|IOERR)/;

/**
 * Copies the store of a connection to a new file. The copy is made beside it, looked over, flushed to the disk and only
 * then given its name, which fails where something has that name: no half of a backup ever looks like a whole one.
 */
export async function backUp(source: Connection, path: string, call: Call): Promise<BackupOutcome> {
  const file = resolve(path);
  if (existsSync(file)) return { kind: 'file exists' };
  if (!existsSync(dirname(file))) return { kind: 'not writable' };
  const partial = `${file}.${randomUUID()}.partial`;
  try {
    await copy(source.name, partial, call);
    lookOver(partial);
    await flush(partial);
    await link(partial, file);
    await flush(dirname(file));
    return { kind: 'copied', bytes: (await stat(file)).size };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (code === 'EEXIST') return { kind: 'file exists' };
    if (notWritable.has(code) || notWritableSqlite.test(code)) return { kind: 'not writable' };
    throw error;
  } finally {
    for (const ending of ['', '-wal', '-shm', '-journal']) await rm(`${partial}${ending}`, { force: true });
  }
}

/** A read transaction holds one state of the store: without it, every commit of another process would begin the copy anew. */
async function copy(from: string, to: string, call: Call): Promise<void> {
  const reader = new Database(from, { readonly: true, timeout: 0 });
  try {
    await untilFree(call, () => {
      if (!reader.inTransaction) reader.exec('BEGIN');
      reader.pragma('user_version');
    });
    await reader.backup(to, { progress: () => pagesAtOnce });
  } finally {
    reader.close();
  }
}

/** Throws where SQLite finds anything wrong with the copy. Without a write-ahead log, it is one file and nothing beside it. */
function lookOver(file: string): void {
  const connection = new Database(file, { fileMustExist: true });
  try {
    connection.pragma('journal_mode = DELETE');
    if (!isWhole(connection)) throw new Error('the copy of the store is damaged');
  } finally {
    connection.close();
  }
}

async function flush(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
