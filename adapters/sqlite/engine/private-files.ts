import { closeSync, fsyncSync, mkdirSync, openSync, realpathSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
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
