import type { Statement } from 'better-sqlite3';
import type { Call } from '../../../core/call.ts';
import type { IdempotencyRecord } from '../../../core/entitlement/idempotency/idempotency-record.ts';
import type { IdempotencyRecords } from '../../../core/entitlement/idempotency/idempotency-records.port.ts';
import { expiredAt, type Retention } from '../../../core/entitlement/idempotency/retention.ts';
import { mapOrNull } from '../engine/nullable.ts';
import type { SqliteDatabase } from '../engine/sqlite-database.ts';
import { selectFrom } from '../engine/table.ts';
import { fromRecordRow, recordsTable, type RecordRow } from './record-row.ts';

export class SqliteIdempotencyRecords implements IdempotencyRecords {
  readonly #database: SqliteDatabase;
  readonly #retention: Retention;
  readonly #find: Statement<[string, string, number], RecordRow>;

  constructor(database: SqliteDatabase, retention: Retention) {
    this.#database = database;
    this.#retention = retention;
    this.#find = database.connection.prepare(`${selectFrom(recordsTable)} WHERE product_id = ? AND key = ? AND at > ?`);
  }

  find(productId: string, key: string, call: Call): Promise<IdempotencyRecord | null> {
    const expired = expiredAt(this.#retention, call.now).getTime();
    return this.#database.read(call, () => mapOrNull(this.#find.get(productId, key, expired), fromRecordRow));
  }
}
