import type { Statement } from 'better-sqlite3';
import type { SaleEvent } from '../../../core/affiliate/sale/sale-event.ts';
import type { Sale } from '../../../core/affiliate/sale/sale.ts';
import type { LinePlace, Sales, SalesFilter, SalesPart } from '../../../core/affiliate/sale/sales.port.ts';
import type { Call } from '../../../core/call.ts';
import type { ReplaceOutcome } from '../../../core/compare-and-set.ts';
import type { SqliteDatabase } from '../engine/sqlite-database.ts';
import { insertInto, mapOrNull, selectFrom, updateOf } from '../engine/table.ts';
import type { EventLog } from '../event/event-log.ts';
import { fromSaleRow, salesTable, toSaleRow, type SaleRow } from './sale-row.ts';

const select = selectFrom(salesTable);

export class SqliteSales implements Sales {
  readonly #database: SqliteDatabase;
  readonly #log: EventLog;
  readonly #find: Statement<[string], SaleRow>;
  readonly #named: Statement<[string], SaleRow>;
  readonly #insert: Statement<[SaleRow]>;
  readonly #update: Statement<[SaleRow]>;
  readonly #toLookAt: Statement<[number, number], SaleRow>;

  constructor(database: SqliteDatabase, log: EventLog) {
    const { connection } = database;
    this.#database = database;
    this.#log = log;
    this.#find = connection.prepare(`${select} WHERE entitlement_id = ?`);
    this.#named = connection.prepare(`${select} WHERE id = ?`);
    this.#insert = connection.prepare(`${insertInto(salesTable)} ON CONFLICT (entitlement_id) DO NOTHING`);
    this.#update = connection.prepare(
      `${updateOf(salesTable)} WHERE entitlement_id = @entitlement_id AND revision = @revision - 1`,
    );
    this.#toLookAt = connection.prepare(`${select} WHERE look_at <= ? ORDER BY look_at LIMIT ?`);
  }

  find(entitlementId: string, call: Call): Promise<Sale | null> {
    return this.#database.read(call, () => mapOrNull(this.#find.get(entitlementId), fromSaleRow));
  }

  named(names: readonly string[], call: Call): Promise<readonly Sale[]> {
    return this.#database.read(call, () =>
      names.flatMap((name) => mapOrNull(this.#named.get(name), fromSaleRow) ?? []),
    );
  }

  page({ after, limit, ...filter }: SalesPart, call: Call): Promise<readonly Sale[]> {
    const place = after === null ? [] : ['(attributed_at, id) < (@at, @id)'];
    const sql = `${select} ${where([...conditionsOf(filter), ...place])} ORDER BY attributed_at DESC, id DESC LIMIT @limit`;
    const values = { ...filter, at: after?.attributedAt.getTime(), id: after?.id, limit };
    return this.#all(sql, values, call);
  }

  replace(seen: Sale | null, next: Sale, event: SaleEvent | null, call: Call): Promise<ReplaceOutcome> {
    const write = seen === null ? this.#insert : this.#update;
    const row = toSaleRow(next);
    return this.#database.write(call, () => {
      if (write.run(row).changes === 0) return { kind: 'stale' };
      if (event !== null) this.#log.append(next.productId, [event], call.now);
      return { kind: 'replaced' };
    });
  }

  toLookAt(until: Date, limit: number, call: Call): Promise<readonly Sale[]> {
    return this.#database.read(call, () => this.#toLookAt.all(until.getTime(), limit).map(fromSaleRow));
  }

  withLines(
    filter: SalesFilter,
    until: Date,
    after: LinePlace | null,
    limit: number,
    call: Call,
  ): Promise<readonly Sale[]> {
    const columns = 'product_id, handle, currency, id';
    const place = after === null ? [] : [`(${columns}) > (@afterProduct, @afterHandle, @afterCurrency, @afterId)`];
    const conditions = ['line_at <= @until', ...conditionsOf(filter), ...place];
    const values = {
      ...filter,
      until: until.getTime(),
      afterProduct: after?.productId,
      afterHandle: after?.handle,
      afterCurrency: after?.currency,
      afterId: after?.id,
      limit,
    };
    return this.#all(`${select} ${where(conditions)} ORDER BY ${columns} LIMIT @limit`, values, call);
  }

  #all(sql: string, values: object, call: Call): Promise<readonly Sale[]> {
    const statement = this.#database.connection.prepare<[object], SaleRow>(sql);
    return this.#database.read(call, () => statement.all(values).map(fromSaleRow));
  }
}

function conditionsOf({ productId, handle, currency }: SalesFilter): readonly string[] {
  return [
    ...(productId === null ? [] : ['product_id = @productId']),
    ...(handle === null ? [] : ['handle = @handle']),
    ...(currency === null ? [] : ['currency = @currency']),
  ];
}

function where(conditions: readonly string[]): string {
  return conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;
}
