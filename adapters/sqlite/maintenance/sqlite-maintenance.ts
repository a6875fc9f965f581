import type { Statement } from 'better-sqlite3';
import type { Call } from '../../../core/call.ts';
import { expiredAt, type Retention } from '../../../core/entitlement/idempotency/retention.ts';
import type { BackupOutcome, Finding, Maintenance, Pruned } from '../../../core/maintenance/maintenance.port.ts';
import { backUp } from './backup.ts';
import { integrityFinding, schemaFinding } from './findings.ts';
import type { RecordRow } from '../entitlement/record-row.ts';
import type { SqliteStore } from '../engine/sqlite-database.ts';

type Place = Pick<RecordRow, 'product_id' | 'key'>;

interface SliceRow extends Place {
  readonly at: number;
}

/** Records looked at in one slice: the write lock is held about 2 ms. */
const sliceSize = 500;

/** A record that no request can meet: no product has this id, and it has expired. */
const probe = { product: '', key: '' };

export class SqliteMaintenance implements Maintenance {
  readonly #store: SqliteStore;
  readonly #retention: Retention;
  readonly #slice: Statement<[string, string, number], SliceRow>;
  readonly #remove: Statement<[{ from: string; fromKey: string; to: string; toKey: string; expired: number }]>;
  readonly #putProbe: Statement<[typeof probe]>;
  readonly #removeProbe: Statement<[typeof probe]>;

  constructor(store: SqliteStore, retention: Retention) {
    const { connection } = store;
    this.#store = store;
    this.#retention = retention;
    this.#slice = connection.prepare(`
      SELECT product_id, key, at FROM idempotency_records
      WHERE (product_id, key) > (?, ?) ORDER BY product_id, key LIMIT ?`);
    this.#remove = connection.prepare(`
      DELETE FROM idempotency_records
      WHERE (product_id, key) > (@from, @fromKey) AND (product_id, key) <= (@to, @toKey) AND at <= @expired`);
    this.#putProbe = connection.prepare(`
      INSERT OR REPLACE INTO idempotency_records
      VALUES (@product, @key, 'cancel', '', 0, '', 'active', 0, NULL, NULL, NULL, 0, 0)`);
    this.#removeProbe = connection.prepare(
      'DELETE FROM idempotency_records WHERE product_id = @product AND key = @key',
    );
  }

  async check(call: Call): Promise<readonly Finding[]> {
    const { connection } = this.#store;
    return [schemaFinding(connection), integrityFinding(connection), await this.#writeFinding(call)];
  }

  backup(path: string, call: Call): Promise<BackupOutcome> {
    return backUp(this.#store.connection, path, call);
  }

  async prune(from: string | null, call: Call): Promise<Pruned> {
    const start: Place = from === null ? { product_id: '', key: '' } : placeOf(from);
    const expired = expiredAt(this.#retention, call.now).getTime();
    const rows = await this.#store.reads.read(call, () => this.#slice.all(start.product_id, start.key, sliceSize));
    const end = rows.at(-1);
    if (end === undefined) return { removed: 0, next: null };
    const next = rows.length < sliceSize ? null : JSON.stringify([end.product_id, end.key]);
    if (rows.every(({ at }) => at > expired)) return { removed: 0, next };
    const range = { from: start.product_id, fromKey: start.key, to: end.product_id, toKey: end.key, expired };
    const removed = await this.#store.writes.write(call, () => this.#remove.run(range).changes);
    return { removed, next };
  }

  async #writeFinding(call: Call): Promise<Finding> {
    try {
      await this.#store.writes.write(call, () => this.#putProbe.run(probe));
      const { changes } = await this.#store.writes.write(call, () => this.#removeProbe.run(probe));
      if (changes === 1) return { check: 'write', ok: true, message: 'A record was written and removed again.' };
    } catch {
      return { check: 'write', ok: false, message: 'The store could not be written: is the disk full or locked?' };
    }
    return { check: 'write', ok: false, message: 'A record that had been written was not there any more.' };
  }
}

function placeOf(cursor: string): Place {
  const [productId, key] = JSON.parse(cursor) as [string, string];
  return { product_id: productId, key };
}
