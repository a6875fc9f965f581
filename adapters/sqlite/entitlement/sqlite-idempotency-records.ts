import type { Statement } from 'better-sqlite3';
import type { Call } from '../../../core/call.ts';
import type { IdempotencyRecord } from '../../../core/entitlement/idempotency/idempotency-record.ts';
import type { IdempotencyRecords } from '../../../core/entitlement/idempotency/idempotency-records.port.ts';
import { expiredAt, type Retention } from '../../../core/entitlement/idempotency/retention.ts';
import { fromRecordRow, type RecordRow } from './record-row.ts';
import type { SqliteStore } from '../engine/sqlite-database.ts';

export class SqliteIdempotencyRecords implements IdempotencyRecords {
  readonly #store: SqliteStore;
  readonly #retention: Retention;
  readonly #find: Statement<[string, string, number], RecordRow>;

  constructor(store: SqliteStore, retention: Retention) {
    this.#store = store;
    this.#retention = retention;
    this.#find = store.connection.prepare(
      'SELECT * FROM idempotency_records WHERE product_id = ? AND key = ? AND at > ?',
    );
  }

  find(productId: string, key: string, call: Call): Promise<IdempotencyRecord | null> {
    const expired = expiredAt(this.#retention, call.now).getTime();
    return this.#store.reads.read(call, () => {
      const row = this.#find.get(productId, key, expired);
      return row === undefined ? null : fromRecordRow(row);
    });
  }
}
