import { createHash } from 'node:crypto';
import Database from 'better-sqlite3';

/** The note about records of which one cannot be read: nobody knows whether they give access. */
export const unreadable = '';

/**
 * Notes about the records of an import. They are on disk as soon as they are many, in a file that the system removes when
 * the process ends. They hold digests of their names, so that no license key is among them.
 */
export class Noted {
  readonly #database: Database.Database;
  readonly #find: Database.Statement<[Buffer], { readonly value: string }>;
  readonly #set: Database.Statement<[Buffer, string]>;
  readonly #add: Database.Statement<[Buffer]>;

  constructor() {
    const database = new Database('');
    this.#database = database;
    database.exec('CREATE TABLE notes (name BLOB PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID; BEGIN');
    this.#find = database.prepare('SELECT value FROM notes WHERE name = ?');
    this.#set = database.prepare('INSERT OR REPLACE INTO notes VALUES (?, ?)');
    this.#add = database.prepare("INSERT OR IGNORE INTO notes VALUES (?, '')");
  }

  find(name: string): string | null {
    return this.#find.get(digestOf(name))?.value ?? null;
  }

  set(name: string, value: string): void {
    this.#set.run(digestOf(name), value);
  }

  /** Adds a name, and reports whether it is new. */
  isNew(name: string): boolean {
    return this.#add.run(digestOf(name)).changes === 1;
  }

  close(): void {
    this.#database.close();
  }
}

function digestOf(name: string): Buffer {
  return createHash('sha256').update(name).digest().subarray(0, 16);
}
