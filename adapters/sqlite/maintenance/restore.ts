import { chmodSync, chownSync, existsSync, linkSync, realpathSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import Database, { type Database as Connection } from 'better-sqlite3';
import type { Call } from '../../../core/call.ts';
import { Refusal } from '../../../core/refusal.ts';
import { UnusableStore } from '../../../core/store/store.port.ts';
import { codeOf, isBusy, isDiskFull } from '../engine/errors.ts';
import { currentSchemaVersion, readSchemaVersion } from '../engine/migrate.ts';
import { restoreNoteTable } from '../engine/migrations/restore-note.ts';
import { belongsToAnother, createFile, expectReachable, flushFolder } from '../engine/store-files.ts';
import { copy, copyAtRest, finish, flush, Stopped } from './backup.ts';
import { isIntact } from './findings.ts';
import { putRestoreNote } from './sqlite-clock-marks.ts';

export type RestoreOutcome =
  | {
      readonly kind: 'restored';
      readonly bytes: number;
      /** The file with the store before, or null if there was none. */
      readonly kept: string | null;
      /** Whether the backup has the schema of this release. */
      readonly isCurrent: boolean;
    }
  | { readonly kind: 'in use' }
  | { readonly kind: 'disk full' }
  | { readonly kind: 'not writable' }
  | { readonly kind: 'stopped' };

/** A backup, and the store that it replaces. */
export interface Restoration {
  /** The path of the backup. */
  readonly backup: string;
  /** The path of the store, which may not exist. */
  readonly store: string;
  /** Checks the content of a copy with the schema of this release. Throws `UnusableStore`. */
  readonly check: (copy: string) => Promise<void>;
}

const besides = ['-wal', '-shm', '-journal'] as const;

/**
 * Puts a backup into the place of a store that no process uses, in one step: killed at any time, it leaves the old store or
 * the new one, with its own files only. The backup is copied beside the store and checked before; the old store is kept
 * under another name. Throws `UnusableStore` for what is no usable backup. Changes nothing unless it restores.
 */
export async function restoreBackup(
  { backup, store, check }: Restoration,
  call: Call,
  isStopped: () => boolean,
): Promise<RestoreOutcome> {
  const source = usable(backup);
  const file = existsSync(store) ? realpathSync(store) : resolve(store);
  expectReachable('store', file);
  if (source === file) throw new UnusableStore('The backup is the store itself.');
  if (!existsSync(dirname(file))) return { kind: 'not writable' };
  const { randomUUID } = await import('node:crypto');
  const partial = `${file}.${randomUUID()}.partial`;
  let hold: Hold = { kind: 'missing' };
  try {
    hold = holdAlone(file);
    if (hold.kind === 'in use') return hold;
    createFile(partial);
    // Where a process may have it open. SQLite would leave two files beside any other that was once in write-ahead mode.
    if (existsSync(`${source}-shm`)) await copy(source, partial, call, isStopped);
    else await copyAtRest(source, partial, isStopped);
    const isCurrent = inspect(partial, source);
    if (isCurrent) await check(partial);
    finish(partial);
    noteRestore(partial, call.now);
    await flush(partial);
    if (isStopped()) return { kind: 'stopped' };
    const kept = replace(file, partial, hold, call.now);
    return { kind: 'restored', bytes: statSync(file).size, kept, isCurrent };
  } catch (error) {
    return outcomeOf(error, source);
  } finally {
    if (hold.kind === 'held') hold.connection.close();
    for (const suffix of ['', ...besides]) rmSync(`${partial}${suffix}`, { force: true });
  }
}

/** Returns where the file of a backup is, without links. */
function usable(backup: string): string {
  expectReachable('backup', resolve(backup));
  if (statSync(backup, { throwIfNoEntry: false })?.isFile() !== true) throw unreadable();
  const source = realpathSync(backup);
  if (belongsToAnother(source)) {
    throw new UnusableStore(`Beside the backup there is a -wal that is not its own: remove ${source}-wal first.`);
  }
  return source;
}

function unreadable(cause?: unknown): UnusableStore {
  const message = 'The backup cannot be read: it must be a file that `latchkey store backup` has made.';
  return new UnusableStore(message, { cause });
}

/** Returns whether the copy has the schema of this release. Throws `UnusableStore` if it cannot be a store. */
function inspect(partial: string, source: string): boolean {
  const connection = new Database(partial, { fileMustExist: true });
  try {
    const version = readSchemaVersion(connection, source);
    if (version === 0) throw new UnusableStore(`${source} is not a Latchkey store.`);
    if (!isIntact(connection)) throw new UnusableStore(`${source} is damaged: use another backup.`);
    return version === currentSchemaVersion;
  } finally {
    connection.close();
  }
}

/** Notes in the copy that it is a restored backup, whatever its schema. */
function noteRestore(partial: string, now: Date): void {
  const connection = new Database(partial, { fileMustExist: true });
  try {
    connection.exec(restoreNoteTable);
    connection.prepare(putRestoreNote).run(now.getTime());
  } finally {
    connection.close();
  }
}

type Hold =
  /** Nobody else can open the store until the connection is closed. */
  | { readonly kind: 'held'; readonly connection: Connection }
  /** The store cannot be opened, so no process serves it. */
  | { readonly kind: 'damaged' }
  | { readonly kind: 'missing' }
  | { readonly kind: 'in use' };

/** Opens a store for this process alone. A connection in write-ahead mode holds a lock on the file until it is closed. */
function holdAlone(file: string): Hold {
  if (!existsSync(file)) return { kind: 'missing' };
  const connection = new Database(file, { timeout: 0, fileMustExist: true });
  try {
    connection.pragma('locking_mode = EXCLUSIVE');
    connection.exec('BEGIN EXCLUSIVE; COMMIT');
    return { kind: 'held', connection };
  } catch (error) {
    connection.close();
    if (isBusy(error)) return { kind: 'in use' };
    if (/^SQLITE_(?:NOTADB|CORRUPT)/.test(codeOf(error))) return { kind: 'damaged' };
    throw error;
  }
}

/** Puts the copy into the place of the store, and returns the file that the old store is kept in. */
function replace(file: string, partial: string, hold: Hold, now: Date): string | null {
  if (hold.kind === 'missing') {
    for (const suffix of besides) rmSync(`${file}${suffix}`, { force: true });
    linkSync(partial, file);
    flushFolder(dirname(file));
    return null;
  }
  takeOver(partial, file);
  const kept = `${file}.before-${now.toISOString().replaceAll(/[-:.]/g, '')}`;
  const isOneFile = hold.kind === 'held' && becomesOneFile(hold.connection);
  linkSync(file, kept);
  // The log of a damaged store goes with it. That of any other is empty by now.
  for (const suffix of isOneFile ? [] : ['-wal', '-journal']) {
    if (existsSync(`${file}${suffix}`)) renameSync(`${file}${suffix}`, `${kept}${suffix}`);
  }
  for (const suffix of besides) rmSync(`${file}${suffix}`, { force: true });
  renameSync(partial, file);
  flushFolder(dirname(file));
  return kept;
}

/** Ends the write-ahead mode of a store, so that its file has everything. Returns false if it is too damaged for that. */
function becomesOneFile(connection: Connection): boolean {
  try {
    return connection.pragma('journal_mode = DELETE', { simple: true }) === 'delete';
  } catch {
    return false;
  }
}

/** Gives a file the mode of another and, where this user may, its owner: the service must be able to open it. */
function takeOver(file: string, from: string): void {
  const { mode, uid, gid } = statSync(from);
  chmodSync(file, mode & 0o777);
  try {
    chownSync(file, uid, gid);
  } catch (error) {
    if (codeOf(error) !== 'EPERM') throw error;
  }
}

/** The error of SQLite or of the system that a refusal stands for; the thrown error itself if it stands for no other. */
function originOf(thrown: unknown): unknown {
  for (
    let error = thrown;
    error instanceof Error;
    error = error instanceof Refusal ? error.details.cause : error.cause
  ) {
    if (codeOf(error) !== '' && !(error instanceof Refusal)) return error;
  }
  return thrown;
}

function outcomeOf(thrown: unknown, source: string): RestoreOutcome {
  if (thrown instanceof Stopped) return { kind: 'stopped' };
  const error = originOf(thrown);
  const code = codeOf(error);
  if (code === 'EACCES' && (error as NodeJS.ErrnoException).path === source) throw unreadable(error);
  if (code === 'EEXIST') return { kind: 'in use' };
  if (isDiskFull(error) || /^E(?:NOSPC|DQUOT)$/.test(code)) return { kind: 'disk full' };
  if (/^(?:ENOENT|EACCES|EPERM|EROFS)$|^SQLITE_(?:CANTOPEN|READONLY)/.test(code)) return { kind: 'not writable' };
  if (/^SQLITE_(?:NOTADB|CORRUPT)/.test(code)) {
    throw new UnusableStore(`${source} is damaged, or not a Latchkey store.`, { cause: error });
  }
  throw thrown;
}
