import type { Statement } from 'better-sqlite3';
import type { Call } from '../../../core/call.ts';
import type { IdempotencyRecord } from '../../../core/entitlement/idempotency/idempotency-record.ts';
import type { IdempotencyRecords, RetentionPromises } from '../../../core/entitlement/idempotency/idempotency.port.ts';
import { expiredAt, type RetentionPromise } from '../../../core/entitlement/idempotency/retention.ts';
import type { SharedRetention } from '../../../core/entitlement/idempotency/shared-retention.ts';
import type { SqliteDatabase } from '../engine/sqlite-database.ts';
import { insertInto, mapOrNull, selectFrom, table } from '../engine/table.ts';
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

/** A row of `retention_promises`. Instants are milliseconds since 1970. */
interface PromiseRow {
  readonly milliseconds: number;
  readonly until: number;
}

const promisesTable = table<PromiseRow>('retention_promises', { milliseconds: true, until: true });

export class SqliteRetentionPromises implements RetentionPromises {
  readonly #database: SqliteDatabase;
  readonly #list: Statement<[], PromiseRow>;
  readonly #add: Statement<[PromiseRow]>;

  constructor(database: SqliteDatabase) {
    const { connection } = database;
    this.#database = database;
    this.#list = connection.prepare(selectFrom(promisesTable));
    this.#add = connection.prepare(
      `${insertInto(promisesTable)} ON CONFLICT (milliseconds) DO UPDATE SET until = max(until, excluded.until)`,
    );
  }

  list(call: Call): Promise<readonly RetentionPromise[]> {
    return this.#database.read(call, () =>
      this.#list.all().map(({ milliseconds, until }) => ({ milliseconds, until: new Date(until) })),
    );
  }

  async add({ milliseconds, until }: RetentionPromise, call: Call): Promise<void> {
    await this.#database.write(call, () => this.#add.run({ milliseconds, until: until.getTime() }));
  }
}
