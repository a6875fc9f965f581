import type { Statement } from 'better-sqlite3';
import type { Call } from '../../../core/call.ts';
import type { ReplaceOutcome } from '../../../core/compare-and-set.ts';
import { keyRingId, type KeyRing } from '../../../core/receipt/key-ring.ts';
import type { SigningKeys } from '../../../core/receipt/signing-keys.port.ts';
import type { SqliteDatabase } from '../engine/sqlite-database.ts';
import { insertInto, mapOrNull, selectFrom, updateOf } from '../engine/table.ts';
import { fromKeyRingRow, signingKeysTable, toKeyRingRow, type KeyRingRow } from './key-ring-row.ts';

export class SqliteSigningKeys implements SigningKeys {
  readonly #database: SqliteDatabase;
  readonly #read: Statement<[], KeyRingRow>;
  readonly #insert: Statement<[KeyRingRow]>;
  readonly #update: Statement<[KeyRingRow]>;

  constructor(database: SqliteDatabase) {
    const { connection } = database;
    this.#database = database;
    this.#read = connection.prepare(selectFrom(signingKeysTable));
    this.#insert = connection.prepare(`${insertInto(signingKeysTable)} ON CONFLICT DO NOTHING`);
    this.#update = connection.prepare(`${updateOf(signingKeysTable)} WHERE revision = @revision - 1`);
  }

  read(call: Call): Promise<KeyRing | null> {
    return this.#database.read(call, () => mapOrNull(this.#read.get(), fromKeyRingRow));
  }

  replace(next: KeyRing, call: Call): Promise<ReplaceOutcome> {
    const write = next.revision === 1 ? this.#insert : this.#update;
    const row = toKeyRingRow(next, keyRingId);
    // The ring before may have a private half that the next one lacks.
    return this.#database.erase(call, () => ({
      kind: write.run(row).changes === 0 ? 'stale' : 'replaced',
    }));
  }
}
