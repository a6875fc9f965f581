import type { Statement } from 'better-sqlite3';
import type { Call } from '../../../core/call.ts';
import type { ReplaceOutcome } from '../../../core/until-stored.ts';
import type { WebhookEndpoint } from '../../../core/webhook/webhook-endpoint.ts';
import type { WebhookEndpoints } from '../../../core/webhook/webhook-endpoints.port.ts';
import { mapOrNull } from '../engine/nullable.ts';
import type { SqliteDatabase } from '../engine/sqlite-database.ts';
import { insertInto, selectFrom, updateOf } from '../engine/table.ts';
import { endpointsTable, fromEndpointRow, toEndpointRow, type EndpointRow } from './endpoint-row.ts';

export class SqliteWebhookEndpoints implements WebhookEndpoints {
  readonly #database: SqliteDatabase;
  readonly #find: Statement<[string], EndpointRow>;
  readonly #page: Statement<[string, number], EndpointRow>;
  readonly #insert: Statement<[EndpointRow]>;
  readonly #update: Statement<[EndpointRow]>;
  readonly #delete: Statement<[string]>;

  constructor(database: SqliteDatabase) {
    const { connection } = database;
    this.#database = database;
    this.#find = connection.prepare(`${selectFrom(endpointsTable)} WHERE id = ?`);
    this.#page = connection.prepare(`${selectFrom(endpointsTable)} WHERE id > ? ORDER BY id LIMIT ?`);
    this.#insert = connection.prepare(`${insertInto(endpointsTable)} ON CONFLICT DO NOTHING`);
    this.#update = connection.prepare(`${updateOf(endpointsTable)} WHERE id = @id AND revision = @revision - 1`);
    this.#delete = connection.prepare('DELETE FROM webhook_endpoints WHERE id = ?');
  }

  find(id: string, call: Call): Promise<WebhookEndpoint | null> {
    return this.#database.read(call, () => mapOrNull(this.#find.get(id), fromEndpointRow));
  }

  page(after: string | null, limit: number, call: Call): Promise<readonly WebhookEndpoint[]> {
    return this.#database.read(call, () => this.#page.all(after ?? '', limit).map(fromEndpointRow));
  }

  add(endpoint: WebhookEndpoint, call: Call): Promise<'added' | 'id taken'> {
    const row = toEndpointRow(endpoint);
    return this.#database.write(call, () => (this.#insert.run(row).changes === 0 ? 'id taken' : 'added'));
  }

  replace(next: WebhookEndpoint, call: Call): Promise<ReplaceOutcome> {
    const row = toEndpointRow(next);
    return this.#database.write(call, () => ({ kind: this.#update.run(row).changes === 0 ? 'stale' : 'replaced' }));
  }

  remove(id: string, call: Call): Promise<boolean> {
    return this.#database.write(call, () => this.#delete.run(id).changes > 0);
  }
}
