import type { Statement } from 'better-sqlite3';
import type { AllAppKeys } from '../../../core/access/all-app-keys.port.ts';
import type { AppKey } from '../../../core/access/app-key.ts';
import type { Call } from '../../../core/call.ts';
import { fromAppKeyRow, toAppKeyRow, type AppKeyRow } from './app-key-row.ts';
import type { SqliteStore } from '../engine/sqlite-database.ts';

export class SqliteAllAppKeys implements AllAppKeys {
  readonly #store: SqliteStore;
  readonly #find: Statement<[string], AppKeyRow>;
  readonly #list: Statement<[], AppKeyRow>;
  readonly #add: Statement<[AppKeyRow]>;
  readonly #revoke: Statement<[{ readonly id: string; readonly at: number }]>;
  readonly #expire: Statement<[{ readonly id: string; readonly at: number }]>;

  constructor(store: SqliteStore) {
    const { connection } = store;
    this.#store = store;
    this.#find = connection.prepare('SELECT * FROM app_keys WHERE id = ?');
    this.#list = connection.prepare('SELECT * FROM app_keys ORDER BY created_at, id');
    this.#add = connection.prepare(`
      INSERT INTO app_keys
      VALUES (@digest, @id, @product_id, @last_four, @scopes, @created_at, @expires_at, @revoked_at, @last_used_at)`);
    this.#revoke = connection.prepare('UPDATE app_keys SET revoked_at = @at WHERE id = @id AND revoked_at IS NULL');
    this.#expire = connection.prepare(`
      UPDATE app_keys SET expires_at = @at
      WHERE id = @id AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > @at)`);
  }

  find(id: string, call: Call): Promise<AppKey | null> {
    return this.#store.reads.read(call, () => {
      const row = this.#find.get(id);
      return row === undefined ? null : fromAppKeyRow(row);
    });
  }

  list(call: Call): Promise<readonly AppKey[]> {
    return this.#store.reads.read(call, () => this.#list.all().map(fromAppKeyRow));
  }

  async add(key: AppKey, call: Call): Promise<void> {
    await this.#store.writes.write(call, () => this.#add.run(toAppKeyRow(key)));
  }

  async end(id: string, by: { readonly revokedAt: Date } | { readonly expiresAt: Date }, call: Call): Promise<void> {
    await this.#store.writes.write(call, () =>
      'revokedAt' in by
        ? this.#revoke.run({ id, at: by.revokedAt.getTime() })
        : this.#expire.run({ id, at: by.expiresAt.getTime() }),
    );
  }
}
