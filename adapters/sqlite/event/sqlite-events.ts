import type { Statement } from 'better-sqlite3';
import type { Call } from '../../../core/call.ts';
import type { EventPage, Events } from '../../../core/feed/events.port.ts';
import { firstKept } from '../../../core/feed/prune-events.ts';
import type { SqliteDatabase } from '../engine/sqlite-database.ts';
import { selectFrom } from '../engine/table.ts';
import { lastPositionSql } from './event-log.ts';
import { eventsTable, fromBody, type EventRow } from './event-row.ts';

type Age = Pick<EventRow, 'position' | 'told_at'>;

/** Events that one call of `prune` removes at most: it holds the write lock for about 2 ms. */
const sliceSize = 500;

/**
 * The first position that an endpoint of a product has not received; null without endpoints. A product without a stream is
 * newer than the endpoint, which gets its whole log.
 */
const firstNeededSql = `
  SELECT min(ifnull(min(stream.needed, ifnull(
    (SELECT min(needed) FROM waiting_deliveries WHERE stream_id = stream.id), stream.needed)), 1))
  FROM webhook_endpoints AS endpoint
  LEFT JOIN delivery_streams AS stream ON stream.id =
    endpoint.id || '/' || iif(endpoint.addition = '', '', endpoint.addition || '/') || @productId
  WHERE endpoint.product_id IS NULL OR endpoint.product_id = @productId`;

export class SqliteEvents implements Events {
  readonly #database: SqliteDatabase;
  readonly #page: Statement<[string, number, number], EventRow>;
  readonly #first: Statement<[string], number>;
  readonly #last: Statement<[string], number>;
  readonly #oldest: Statement<[string, number], Age>;
  readonly #needed: Statement<[{ readonly productId: string }], number | null>;
  readonly #remove: Statement<[string, number]>;

  constructor(database: SqliteDatabase) {
    const { connection } = database;
    this.#database = database;
    this.#page = connection.prepare(
      `${selectFrom(eventsTable)} WHERE product_id = +? AND position > ? ORDER BY position LIMIT ?`,
    );
    this.#first = connection
      .prepare<[string], number>('SELECT min(position) FROM events WHERE product_id = +?')
      .pluck();
    this.#last = connection.prepare<[string], number>(lastPositionSql).pluck();
    this.#oldest = connection.prepare(
      'SELECT position, told_at FROM events WHERE product_id = +? ORDER BY position LIMIT ?',
    );
    this.#needed = connection.prepare<[{ readonly productId: string }], number | null>(firstNeededSql).pluck();
    this.#remove = connection.prepare('DELETE FROM events WHERE product_id = +? AND position < ?');
  }

  page(productId: string, after: number, limit: number, call: Call): Promise<EventPage> {
    return this.#database.read(call, () => ({
      events: this.#page
        .all(productId, after, limit)
        .map(({ position, body }) => ({ position, event: fromBody(productId, body) })),
      first: this.#first.get(productId) ?? 0,
      last: this.#last.get(productId) ?? 0,
    }));
  }

  async prune(productId: string, until: Date, call: Call): Promise<number> {
    const [oldest] = await this.#database.read(call, () => this.#oldest.all(productId, 1));
    if (oldest === undefined || oldest.told_at > until.getTime()) return 0;
    return this.#database.write(call, () => {
      const parts = this.#oldest
        .all(productId, sliceSize + 1)
        .map((row) => ({ first: row.position, storedAt: new Date(row.told_at) }));
      const needed = this.#needed.get({ productId }) ?? Infinity;
      return this.#remove.run(productId, firstKept(parts, { until, needed })).changes;
    });
  }

  /** Every read of the file shows everything that was committed before. */
  async catchUp(): Promise<void> {}

  lastPosition(productId: string, call: Call): Promise<number> {
    return this.#database.read(call, () => this.#last.get(productId) ?? 0);
  }

  lastPositions(productIds: readonly string[], call: Call): Promise<ReadonlyMap<string, number>> {
    return this.#database.read(call, () => {
      const last = productIds.map((id) => [id, this.#last.get(id) ?? 0] as const);
      return new Map(last.filter(([, position]) => position > 0));
    });
  }
}
