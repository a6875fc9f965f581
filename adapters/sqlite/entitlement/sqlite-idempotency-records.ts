import type { Statement } from 'better-sqlite3';
import type { Call } from '../../../core/call.ts';
import type { IdempotencyRecord } from '../../../core/entitlement/idempotency/idempotency-record.ts';
import type { IdempotencyRecords } from '../../../core/entitlement/idempotency/idempotency.port.ts';
import { expiredAt } from '../../../core/entitlement/idempotency/retention.ts';
import type { SharedRetention } from '../../../core/entitlement/idempotency/shared-retention.ts';
import { mapOrNull } from '../engine/nullable.ts';
import type { SqliteDatabase } from '../engine/sqlite-database.ts';
import { selectFrom } from '../engine/table.ts';
import { fromRecordRow, recordsTable, type RecordRow } from './record-row.ts';

export class SqliteIdempotencyRecords implements IdempotencyRecords {
  readonly #database: SqliteDatabase;
  readonly #retention: SharedRetention;
  readonly #find: Statement<[string, string, number], RecordRow>;

  constructor(database: SqliteDatabase, retention: SharedRetention) {
    this.#database = database;
    this.#retention = retention;
    this.#find = database.connection.prepare(`${selectFrom(recordsTable)} WHERE product_id = ? AND key = ? AND at > ?`);
  }

  async find(productId: string, key: string, call: Call): Promise<IdempotencyRecord | null> {
    const expired = expiredAt(await this.#retention.current(call), call.now).getTime();
    return this.#database.read(call, () => mapOrNull(this.#find.get(productId, key, expired), fromRecordRow));
  }
}
