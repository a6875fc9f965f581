import type { Statement } from 'better-sqlite3';
import type { Call } from '../../../core/call.ts';
import { expiredAt } from '../../../core/entitlement/idempotency/retention.ts';
import type { SharedRetention } from '../../../core/entitlement/idempotency/shared-retention.ts';
import type {
  BackupOutcome,
  Finding,
  LastBackup,
  Maintenance,
  Pruned,
} from '../../../core/maintenance/maintenance.port.ts';
import { Refusal } from '../../../core/refusal.ts';
import { UnusableStore } from '../../../core/store/store.port.ts';
import type { SqliteDatabase } from '../engine/sqlite-database.ts';
import { insertInto } from '../engine/table.ts';
import { recordsTable, type RecordRow } from '../entitlement/record-row.ts';
import { backUp, SqliteLastBackup } from './backup.ts';
import { integrityFinding, schemaFinding } from './findings.ts';

type RecordKey = Pick<RecordRow, 'product_id' | 'key'>;

interface SliceRow extends RecordKey {
  readonly at: number;
}

/** Records that one call of `prune` walks over: it holds the write lock for about 2 ms. */
const sliceSize = 500;

/** The record that the write check stores. No request can find it: no product has its id, and it has expired. */
const probe: RecordRow = {
  product_id: '',
  key: '',
  operation: 'cancel',
  entitlement_id: '',
  at: 0,
  correlation_id: '',
  status: 'active',
  period_start: 0,
  period_end: null,
  cancel_at: null,
  canceled_at: null,
  updated_at: 0,
  version: 0,
  tier_id: '',
  tier_name: '',
  billing_interval: 'month',
  billing_interval_count: 1,
  updates_until: null,
};

const unwritten = 'The file is as a backup or a restore has left it, so no write was tried.';

export class SqliteMaintenance implements Maintenance {
  readonly #database: SqliteDatabase;
  readonly #retention: SharedRetention;
  readonly #lastBackup: SqliteLastBackup;
  readonly #slice: Statement<[string, string, number], SliceRow>;
  readonly #remove: Statement<[{ from: string; fromKey: string; to: string; toKey: string; expired: number }]>;
  readonly #putProbe: Statement<[RecordRow]>;
  readonly #removeProbe: Statement<[RecordKey]>;

  constructor(database: SqliteDatabase, retention: SharedRetention) {
    const { connection } = database;
    this.#database = database;
    this.#retention = retention;
    this.#lastBackup = new SqliteLastBackup(database);
    this.#slice = connection.prepare(`
      SELECT product_id, key, at FROM idempotency_records
      WHERE (product_id, key) > (?, ?) ORDER BY product_id, key LIMIT ?`);
    this.#remove = connection.prepare(`
      DELETE FROM idempotency_records
      WHERE (product_id, key) > (@from, @fromKey) AND (product_id, key) <= (@to, @toKey) AND at <= @expired`);
    this.#putProbe = connection.prepare(insertInto(recordsTable, 'INSERT OR REPLACE'));
    this.#removeProbe = connection.prepare(
      'DELETE FROM idempotency_records WHERE product_id = @product_id AND key = @key',
    );
  }

  async check(call: Call): Promise<readonly Finding[]> {
    const { connection } = this.#database;
    return [schemaFinding(connection), integrityFinding(connection), await this.#writeFinding(call)];
  }

  async backup(path: string, call: Call, isStopped: () => boolean): Promise<BackupOutcome> {
    const outcome = await backUp(this.#database.connection, path, call, isStopped);
    if (outcome.kind === 'copied') {
      // A store that cannot be written, because its disk is full, needs its backup most: the backup has not failed.
      await this.#lastBackup.write(call.now).catch(() => undefined);
    }
    return outcome;
  }

  lastBackup(call: Call): Promise<LastBackup> {
    return this.#lastBackup.read(call);
  }

  async oldestWaitingEvent(): Promise<null> {
    return null;
  }

  async waitingSequences(): Promise<ReadonlyMap<string, number>> {
    return new Map();
  }

  async prune(from: string | null, call: Call): Promise<Pruned> {
    const start = from === null ? { product_id: '', key: '' } : keyAt(from);
    const expired = expiredAt(await this.#retention.current(call), call.now).getTime();
    const rows = await this.#database.read(call, () => this.#slice.all(start.product_id, start.key, sliceSize));
    const end = rows.at(-1);
    if (end === undefined) return { removed: 0, next: null };
    const next = rows.length < sliceSize ? null : JSON.stringify([end.product_id, end.key]);
    if (rows.every(({ at }) => at > expired)) return { removed: 0, next };
    const range = { from: start.product_id, fromKey: start.key, to: end.product_id, toKey: end.key, expired };
    const removed = await this.#database.write(call, () => this.#remove.run(range).changes);
    return { removed, next };
  }

  async #writeFinding(call: Call): Promise<Finding> {
    if (this.#database.connection.readonly) return { check: 'write', ok: true, message: unwritten };
    try {
      await this.#database.write(call, () => this.#putProbe.run(probe));
      const { changes } = await this.#database.write(call, () => this.#removeProbe.run(probe));
      if (changes === 1) return { check: 'write', ok: true, message: 'A record was written and removed again.' };
    } catch (error) {
      const { cause } = error instanceof Refusal ? error.details : { cause: null };
      const message = cause instanceof UnusableStore ? cause.message : 'The store could not be written: is it locked?';
      return { check: 'write', ok: false, message };
    }
    return { check: 'write', ok: false, message: 'A record that had been written was not there any more.' };
  }
}

function keyAt(cursor: string): RecordKey {
  const [productId, key] = JSON.parse(cursor) as [string, string];
  return { product_id: productId, key };
}
