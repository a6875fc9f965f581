import type { Statement } from 'better-sqlite3';
import type { Call } from '../../../core/call.ts';
import type { ReplaceOutcome } from '../../../core/compare-and-set.ts';
import { reaches, type Reach } from '../../../core/reach.ts';
import type { DisablingReason, WebhookEndpoint, WebhookType } from '../../../core/webhook/webhook-endpoint.ts';
import type { EndpointPart, WebhookEndpoints } from '../../../core/webhook/webhook-endpoints.port.ts';
import type { SqliteDatabase } from '../engine/sqlite-database.ts';
import {
  dateOrNull,
  insertInto,
  mapOrNull,
  mergedValues,
  selectFrom,
  selectMerged,
  table,
  updateOf,
} from '../engine/table.ts';

/** A row of `webhook_endpoints`. Instants are milliseconds since 1970; `types` and `secrets` are JSON. */
export interface EndpointRow {
  readonly id: string;
  readonly addition: string;
  readonly url: string;
  readonly product_id: string | null;
  readonly types: string | null;
  readonly secrets: string;
  readonly state: string;
  readonly reason: string | null;
  readonly is_public_only: 0 | 1;
  readonly created_at: number;
  readonly revision: number;
}

export const endpointsTable = table<EndpointRow>('webhook_endpoints', {
  id: true,
  addition: true,
  url: true,
  product_id: true,
  types: true,
  secrets: true,
  state: true,
  reason: true,
  is_public_only: true,
  created_at: true,
  revision: true,
});

type StoredSecret = readonly [key: string, until: number | null];

export function toEndpointRow(endpoint: WebhookEndpoint): EndpointRow {
  const { id, addition, url, productId, types, secrets, state, reason, isPublicOnly, createdAt, revision } = endpoint;
  const stored = secrets.map(({ key, until }): StoredSecret => [key, until?.getTime() ?? null]);
  return {
    id,
    addition,
    url,
    product_id: productId,
    types: types && JSON.stringify(types),
    secrets: JSON.stringify(stored),
    state,
    reason,
    is_public_only: isPublicOnly ? 1 : 0,
    created_at: createdAt.getTime(),
    revision,
  };
}

export function fromEndpointRow(row: EndpointRow): WebhookEndpoint {
  const { id, addition, url, product_id: productId, types, reason, revision } = row;
  const secrets = JSON.parse(row.secrets) as readonly StoredSecret[];
  return {
    id,
    addition,
    url,
    productId,
    types: types === null ? null : (JSON.parse(types) as readonly WebhookType[]),
    secrets: secrets.map(([key, until]) => ({ key, until: dateOrNull(until) })),
    state: row.state as WebhookEndpoint['state'],
    reason: reason as DisablingReason | null,
    isPublicOnly: row.is_public_only === 1,
    createdAt: new Date(row.created_at),
    revision,
  };
}

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
    this.#update = connection.prepare(
      `${updateOf(endpointsTable)} WHERE id = @id AND addition = @addition AND revision = @revision - 1`,
    );
    this.#delete = connection.prepare('DELETE FROM webhook_endpoints WHERE id = ?');
  }

  find(id: string, call: Call): Promise<WebhookEndpoint | null> {
    return this.#database.read(call, () => mapOrNull(this.#find.get(id), fromEndpointRow));
  }

  async page({ products, after, limit }: EndpointPart, call: Call): Promise<readonly WebhookEndpoint[]> {
    if (products !== null) return this.#pageOf(products, after ?? '', limit, call);
    return this.#database.read(call, () => this.#page.all(after ?? '', limit).map(fromEndpointRow));
  }

  add(endpoint: WebhookEndpoint, call: Call): Promise<'added' | 'id taken'> {
    const row = toEndpointRow(endpoint);
    return this.#database.write(call, () => (this.#insert.run(row).changes === 0 ? 'id taken' : 'added'));
  }

  replace(next: WebhookEndpoint, call: Call): Promise<ReplaceOutcome> {
    const row = toEndpointRow(next);
    // Secrets that have ended are left out.
    return this.#database.erase(call, () => ({ kind: this.#update.run(row).changes === 0 ? 'stale' : 'replaced' }));
  }

  remove(id: string, products: Reach, call: Call): Promise<boolean> {
    return this.#database.erase(call, () => {
      const isOwn = products === null || reaches(products, this.#find.get(id)?.product_id ?? null);
      return isOwn && this.#delete.run(id).changes > 0;
    });
  }

  async #pageOf(
    products: readonly string[],
    from: string,
    limit: number,
    call: Call,
  ): Promise<readonly WebhookEndpoint[]> {
    if (products.length === 0) return [];
    const merged = { column: 'product_id', count: products.length, condition: 'id > @from', order: 'id' };
    const { connection } = this.#database;
    const page = connection.prepare<[object], EndpointRow>(selectMerged(selectFrom(endpointsTable), merged));
    const parameters = { from, limit, ...mergedValues(products) };
    return this.#database.read(call, () => page.all(parameters).map(fromEndpointRow));
  }
}
