import type { Statement } from 'better-sqlite3';
import type { Call } from '../../../core/call.ts';
import type { RetentionPromises } from '../../../core/entitlement/idempotency/idempotency.port.ts';
import type { RetentionPromise } from '../../../core/entitlement/idempotency/retention.ts';
import type { SqliteDatabase } from '../engine/sqlite-database.ts';
import { insertInto, selectFrom, table } from '../engine/table.ts';

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
