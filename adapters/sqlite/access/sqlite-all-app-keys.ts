import type { Statement } from 'better-sqlite3';
import type { AllAppKeys } from '../../../core/access/all-app-keys.port.ts';
import type { AppKey } from '../../../core/access/app-key.ts';
import type { Call } from '../../../core/call.ts';
import { mapOrNull } from '../engine/nullable.ts';
import type { SqliteDatabase } from '../engine/sqlite-database.ts';
import { insertInto, selectFrom } from '../engine/table.ts';
import { appKeysTable, fromAppKeyRow, toAppKeyRow, type AppKeyRow } from './app-key-row.ts';

interface End {
  readonly id: string;
  readonly at: number;
}

export class SqliteAllAppKeys implements AllAppKeys {
  readonly #database: SqliteDatabase;
  readonly #find: Statement<[string], AppKeyRow>;
  readonly #list: Statement<[], AppKeyRow>;
  readonly #insert: Statement<[AppKeyRow]>;
  readonly #revoke: Statement<[End]>;
  readonly #expire: Statement<[End]>;

  constructor(database: SqliteDatabase) {
    const { connection } = database;
    this.#database = database;
    this.#find = connection.prepare(`${selectFrom(appKeysTable)} WHERE id = ?`);
    this.#list = connection.prepare(`${selectFrom(appKeysTable)} ORDER BY created_at, id`);
    this.#insert = connection.prepare(insertInto(appKeysTable));
    this.#revoke = connection.prepare('UPDATE app_keys SET revoked_at = @at WHERE id = @id AND revoked_at IS NULL');
    this.#expire = connection.prepare(`
      UPDATE app_keys SET expires_at = @at
      WHERE id = @id AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > @at)`);
  }

  find(id: string, call: Call): Promise<AppKey | null> {
    return this.#database.read(call, () => mapOrNull(this.#find.get(id), fromAppKeyRow));
  }

  list(call: Call): Promise<readonly AppKey[]> {
    return this.#database.read(call, () => this.#list.all().map(fromAppKeyRow));
  }

  async add(key: AppKey, call: Call): Promise<void> {
    await this.#database.write(call, () => this.#insert.run(toAppKeyRow(key)));
  }

  async end(id: string, by: { readonly revokedAt: Date } | { readonly expiresAt: Date }, call: Call): Promise<void> {
    await this.#database.write(call, () =>
      'revokedAt' in by
        ? this.#revoke.run({ id, at: by.revokedAt.getTime() })
        : this.#expire.run({ id, at: by.expiresAt.getTime() }),
    );
  }
}
