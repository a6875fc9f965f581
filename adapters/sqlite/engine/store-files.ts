import { closeSync, fsyncSync, mkdirSync, openSync, readlinkSync, readSync, realpathSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Database as Connection } from 'better-sqlite3';
import { UnusableStore } from '../../../core/store/store.port.ts';
import { codeOf } from './errors.ts';

/** Errors of folders that may not be read, and of file systems that cannot flush a folder. */
const unflushableCodes = new Set(['EACCES', 'EPERM', 'EINVAL', 'ENOTSUP', 'EISDIR']);

/**
 * Creates a folder and the missing ones above it, for this user only. Flushes each folder that gets an entry, so that
 * the new ones are still there after a power cut. One level at a time: with `recursive`, `mkdirSync` never returns on a
 * file system that refuses new folders with ENOENT, as `/proc` does.
 */
export function createFolder(folder: string, flush: (path: string) => void = flushFolder): void {
  if (statSync(folder, { throwIfNoEntry: false }) !== undefined) return;
  const parent = dirname(folder);
  createFolder(parent, flush);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
  flush(parent);
}

/**
 * Creates an empty file for this user only, unless it exists. SQLite gives the files beside a store the store's mode.
 *
 * An existing file is not opened: closing it again would release the locks of this process's connections to it.
 */
export function createFile(file: string, flush: (path: string) => void = flushFolder): void {
  if (statSync(file, { throwIfNoEntry: false }) !== undefined) return;
  closeSync(openSync(file, 'a', 0o600));
  flush(dirname(realpathSync(file)));
}

/** Flushes the entries of a folder to disk, where that is possible. */
export function flushFolder(path: string): void {
  try {
    const descriptor = openSync(path, 'r');
    try {
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    if (!unflushableCodes.has(codeOf(error))) throw error;
  }
}

/**
 * Whether the `-wal` beside a store file is that of another store. SQLite would read the log of the store before it all the
 * same, and so undo a restore in silence. The file must not be open in this process, as for `hasNoLog`.
 */
export function belongsToAnother(file: string): boolean {
  return isThere(`${file}-wal`) && hasNoLog(file);
}

/** Whether a file that is not empty is there. */
export function isThere(file: string): boolean {
  return (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > 0;
}

/**
 * Whether a file says that it has no write-ahead log, as a backup or `VACUUM INTO` makes it. An open store has one. The file
 * must not be open in this process: to close it here would release the locks on it.
 */
export function hasNoLog(file: string): boolean {
  const header = Buffer.alloc(20);
  const descriptor = openSync(file, 'r');
  try {
    readSync(descriptor, header, 0, header.length, 0);
  } finally {
    closeSync(descriptor);
  }
  return header.toString('latin1', 0, 16) === 'SQLite format 3\0' && header[18] === 1;
}

/**
 * The files of an open store, by the inodes that they had when it was opened. SQLite goes on writing to a file that was
 * removed or replaced, and everything that is written then is lost when the process ends.
 */
export class StoreFiles {
  readonly #identities: ReadonlyMap<string, string>;

  constructor({ name }: Pick<Connection, 'name'>) {
    const identities = ['', '-wal', '-shm'].map(
      (suffix) => [`${name}${suffix}`, identityOf(`${name}${suffix}`)] as const,
    );
    this.#identities = new Map(identities.filter((each): each is [string, string] => each[1] !== null));
  }

  /** Returns whether the files are still those that were opened. Takes some 10 µs. */
  areInPlace(): boolean {
    for (const [file, identity] of this.#identities) if (identityOf(file) !== identity) return false;
    return true;
  }
}

/** Throws `UnusableStore`, with the folder, for a file in a folder that this user may not enter. */
export function expectReachable(what: 'store' | 'backup', file: string): void {
  const folder = closedFolder(file);
  if (folder === null) return;
  throw new UnusableStore(`The ${what} at ${file} cannot be reached: this user may not enter ${folder}.`);
}

/** The folder on the way to a file, links followed, that this user may not enter; null if there is no such folder. */
function closedFolder(file: string): string | null {
  try {
    realpathSync(file);
    return null;
  } catch (error) {
    const { code, syscall, path = file } = error as NodeJS.ErrnoException;
    if (code !== 'EACCES') return null;
    // Node looks at one entry after another with lstat, and with stat at what a link leads to.
    return syscall === 'lstat' ? dirname(path) : closedFolder(resolve(dirname(path), readlinkSync(path)));
  }
}

/** Returns null for a file that does not exist or cannot be reached. */
export function identityOf(file: string): string | null {
  try {
    const { dev, ino } = statSync(file, { bigint: true });
    return `${dev}:${ino}`;
  } catch {
    return null;
  }
}
