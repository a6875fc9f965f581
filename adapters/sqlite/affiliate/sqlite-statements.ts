import type { Statement as Prepared } from 'better-sqlite3';
import type { Chain } from '../../../core/affiliate/sale/sale.ts';
import { fits, withLine } from '../../../core/affiliate/statement/decide-statement.ts';
import type { StatementEvent } from '../../../core/affiliate/statement/statement-event.ts';
import type { ClosedStatement, Statement, StatementLine } from '../../../core/affiliate/statement/statement.ts';
import type { AddOutcome, Statements, StatementsPart } from '../../../core/affiliate/statement/statements.port.ts';
import type { Call } from '../../../core/call.ts';
import type { ReplaceOutcome } from '../../../core/compare-and-set.ts';
import type { SqliteDatabase } from '../engine/sqlite-database.ts';
import { insertInto, mapOrNull, selectFrom, updateOf } from '../engine/table.ts';
import type { EventLog } from '../event/event-log.ts';
import { fromSaleRow, salesTable, toSaleRow, type SaleRow } from './sale-row.ts';
import {
  closedTable,
  fromStatementRow,
  fromStoredLines,
  statementsTable,
  toClosedRow,
  toStatementRow,
  type StatementRow,
} from './statement-row.ts';

const select = selectFrom(statementsTable);

export class SqliteStatements implements Statements {
  readonly #database: SqliteDatabase;
  readonly #log: EventLog;
  readonly #last: Prepared<[Chain], StatementRow>;
  readonly #find: Prepared<[string], StatementRow>;
  readonly #lines: Prepared<[string], string>;
  readonly #insert: Prepared<[ReturnType<typeof toClosedRow>]>;
  readonly #setPaid: Prepared<[StatementRow]>;
  readonly #sale: Prepared<[string], SaleRow>;
  readonly #updateSale: Prepared<[SaleRow]>;

  constructor(database: SqliteDatabase, log: EventLog) {
    const { connection } = database;
    this.#database = database;
    this.#log = log;
    this.#last = connection.prepare(
      `${select} WHERE product_id = @productId AND handle = @handle AND currency = @currency ORDER BY number DESC LIMIT 1`,
    );
    this.#find = connection.prepare(`${select} WHERE id = ?`);
    this.#lines = connection.prepare<[string], string>('SELECT lines FROM statements WHERE id = ?').pluck();
    this.#insert = connection.prepare(`${insertInto(closedTable)} ON CONFLICT (id) DO NOTHING`);
    this.#setPaid = connection.prepare(`${updateOf(statementsTable)} WHERE id = @id AND revision = @revision - 1`);
    this.#sale = connection.prepare(`${selectFrom(salesTable)} WHERE id = ?`);
    this.#updateSale = connection.prepare(`${updateOf(salesTable)} WHERE entitlement_id = @entitlement_id`);
  }

  last({ productId, handle, currency }: Chain, call: Call): Promise<Statement | null> {
    return this.#database.read(call, () =>
      mapOrNull(this.#last.get({ productId, handle, currency }), fromStatementRow),
    );
  }

  find(id: string, call: Call): Promise<Statement | null> {
    return this.#database.read(call, () => mapOrNull(this.#find.get(id), fromStatementRow));
  }

  page(part: StatementsPart, call: Call): Promise<readonly Statement[]> {
    const { productId, handle, month, state, after, limit } = part;
    const conditions = [
      ...(productId === null ? [] : ['product_id = @productId']),
      ...(handle === null ? [] : ['handle = @handle']),
      ...(month === null ? [] : ['month = @month']),
      ...(state === null ? [] : ['state = @state']),
      ...(after === null
        ? []
        : [
            '(month < @lastMonth OR month = @lastMonth AND (handle, product_id, currency) > (@lastHandle, @lastProduct, @lastCurrency))',
          ]),
    ];
    const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;
    const order = 'ORDER BY month DESC, handle, product_id, currency LIMIT @limit';
    const values = {
      productId,
      handle,
      month,
      state,
      limit,
      lastMonth: after?.month,
      lastHandle: after?.handle,
      lastProduct: after?.productId,
      lastCurrency: after?.currency,
    };
    const statement = this.#database.connection.prepare<[object], StatementRow>(`${select} ${where} ${order}`);
    return this.#database.read(call, () => statement.all(values).map(fromStatementRow));
  }

  lines(id: string, after: string | null, limit: number, call: Call): Promise<readonly StatementLine[]> {
    return this.#database.read(call, () => {
      const lines = fromStoredLines(this.#lines.get(id) ?? '[]');
      return lines.slice(lines.findIndex(({ sale }) => sale === after) + 1).slice(0, limit);
    });
  }

  add(closed: ClosedStatement, event: StatementEvent, call: Call): Promise<AddOutcome> {
    const row = toClosedRow(closed);
    return this.#database.write(call, () => {
      const sales = this.#withLines(closed);
      if (sales === null || this.#insert.run(row).changes === 0) return { kind: 'taken' };
      for (const sale of sales) this.#updateSale.run(sale);
      this.#log.append(closed.statement.productId, [event], call.now);
      return { kind: 'added' };
    });
  }

  /** The rows of the sales with their lines. Null if a sale is no longer what its line says. */
  #withLines({ statement, lines }: ClosedStatement): readonly SaleRow[] | null {
    const rows: SaleRow[] = [];
    for (const line of lines) {
      const sale = mapOrNull(this.#sale.get(line.sale), fromSaleRow);
      if (sale === null || !fits(line, sale, statement)) return null;
      rows.push(toSaleRow(withLine(sale, line, statement)));
    }
    return rows;
  }

  setPaid(_seen: Statement, next: Statement, event: StatementEvent, call: Call): Promise<ReplaceOutcome> {
    const row = toStatementRow(next);
    return this.#database.write(call, () => {
      if (this.#setPaid.run(row).changes === 0) return { kind: 'stale' };
      this.#log.append(next.productId, [event], call.now);
      return { kind: 'replaced' };
    });
  }
}
