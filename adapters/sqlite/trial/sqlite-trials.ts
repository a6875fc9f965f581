import type { Statement } from 'better-sqlite3';
import type { Call } from '../../../core/call.ts';
import type { ReplaceOutcome } from '../../../core/compare-and-set.ts';
import type { Trial } from '../../../core/trial/trial.ts';
import type { TrialPart, Trials } from '../../../core/trial/trials.port.ts';
import type { SqliteDatabase } from '../engine/sqlite-database.ts';
import { insertInto, mapOrNull, selectFrom, table, updateOf } from '../engine/table.ts';

/** A row of `trials`. Instants are milliseconds since 1970. */
export interface TrialRow {
  readonly id: string;
  readonly product_id: string;
  readonly tier_id: string;
  readonly started_at: number;
  readonly ends_at: number;
  readonly converted_at: number | null;
  readonly entitlement_id: string | null;
  readonly revision: number;
}

export const trialsTable = table<TrialRow>('trials', {
  id: true,
  product_id: true,
  tier_id: true,
  started_at: true,
  ends_at: true,
  converted_at: true,
  entitlement_id: true,
  revision: true,
});

export class SqliteTrials implements Trials {
  readonly #database: SqliteDatabase;
  readonly #find: Statement<[string], TrialRow>;
  readonly #page: Statement<[object], TrialRow>;
  readonly #pageOf: Statement<[object], TrialRow>;
  readonly #insert: Statement<[TrialRow]>;
  readonly #update: Statement<[TrialRow]>;
  readonly #prune: Statement<[number]>;

  constructor(database: SqliteDatabase) {
    const { connection } = database;
    const select = selectFrom(trialsTable);
    const after = '(started_at, id) < (@at, @id)';
    const order = 'ORDER BY started_at DESC, id DESC LIMIT @limit';
    this.#database = database;
    this.#find = connection.prepare(`${select} WHERE id = ?`);
    this.#page = connection.prepare(`${select} WHERE product_id = @product AND ${after} ${order}`);
    this.#pageOf = connection.prepare(
      `${select} WHERE entitlement_id = @entitlement AND product_id = @product AND ${after} ${order}`,
    );
    this.#insert = connection.prepare(`${insertInto(trialsTable)} ON CONFLICT DO NOTHING`);
    this.#update = connection.prepare(`${updateOf(trialsTable)} WHERE id = @id AND revision = @revision - 1`);
    this.#prune = connection.prepare(
      'DELETE FROM trials WHERE id IN (SELECT id FROM trials WHERE ends_at <= ? LIMIT 500)',
    );
  }

  find(id: string, call: Call): Promise<Trial | null> {
    return this.#database.read(call, () => mapOrNull(this.#find.get(id), fromTrialRow));
  }

  page(
    { productId: product, entitlementId: entitlement, after, limit }: TrialPart,
    call: Call,
  ): Promise<readonly Trial[]> {
    const at = { at: after?.startedAt.getTime() ?? Number.MAX_SAFE_INTEGER, id: after?.id ?? '~' };
    return this.#database.read(call, () =>
      (entitlement === null
        ? this.#page.all({ product, limit, ...at })
        : this.#pageOf.all({ product, entitlement, limit, ...at })
      ).map(fromTrialRow),
    );
  }

  async add(trial: Trial, call: Call): Promise<void> {
    const row = toTrialRow(trial);
    await this.#database.write(call, () => this.#insert.run(row));
  }

  replace(next: Trial, call: Call): Promise<ReplaceOutcome> {
    const row = toTrialRow(next);
    return this.#database.write(call, () => ({ kind: this.#update.run(row).changes === 0 ? 'stale' : 'replaced' }));
  }

  prune(end: Date, call: Call): Promise<number> {
    return this.#database.erase(call, () => this.#prune.run(end.getTime()).changes);
  }
}

export function toTrialRow({ id, productId, tierId, startedAt, endsAt, converted, revision }: Trial): TrialRow {
  return {
    id,
    product_id: productId,
    tier_id: tierId,
    started_at: startedAt.getTime(),
    ends_at: endsAt.getTime(),
    converted_at: converted?.at.getTime() ?? null,
    entitlement_id: converted?.entitlementId ?? null,
    revision,
  };
}

export function fromTrialRow(row: TrialRow): Trial {
  const { converted_at: at, entitlement_id: entitlementId } = row;
  return {
    id: row.id,
    productId: row.product_id,
    tierId: row.tier_id,
    startedAt: new Date(row.started_at),
    endsAt: new Date(row.ends_at),
    converted: at === null || entitlementId === null ? null : { at: new Date(at), entitlementId },
    revision: row.revision,
  };
}
