import { statSync } from 'node:fs';
import type { Database as Connection } from 'better-sqlite3';

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

/** Returns null for a file that does not exist or cannot be reached. */
function identityOf(file: string): string | null {
  try {
    const { dev, ino } = statSync(file, { bigint: true });
    return `${dev}:${ino}`;
  } catch {
    return null;
  }
}
