import type { Statement } from 'better-sqlite3';
import type { Call } from '../../../core/call.ts';
import type { ReplaceOutcome } from '../../../core/compare-and-set.ts';
import type { TierEvent } from '../../../core/tier/tier-event.ts';
import { isDeclared, type DeclaredTier, type Tier } from '../../../core/tier/tier.ts';
import type { Tiers } from '../../../core/tier/tiers.port.ts';
import type { SqliteDatabase } from '../engine/sqlite-database.ts';
import { insertInto, mapOrNull, selectFrom, updateOf } from '../engine/table.ts';
import type { EventLog } from '../event/event-log.ts';
import { fromTierRow, tiersTable, toTierRow, type TierRow } from './tier-row.ts';

export class SqliteTiers implements Tiers {
  readonly #database: SqliteDatabase;
  readonly #log: EventLog;
  readonly #find: Statement<[string, string], TierRow>;
  readonly #page: Statement<[string, string, number], TierRow>;
  readonly #all: Statement<[], TierRow>;
  readonly #insert: Statement<[TierRow]>;
  readonly #update: Statement<[TierRow]>;

  constructor(database: SqliteDatabase, log: EventLog) {
    const { connection } = database;
    const select = selectFrom(tiersTable);
    this.#database = database;
    this.#log = log;
    this.#find = connection.prepare(`${select} WHERE product_id = ? AND id = ?`);
    this.#page = connection.prepare(
      `${select} WHERE product_id = ? AND id > ? AND features IS NOT NULL ORDER BY id LIMIT ?`,
    );
    this.#all = connection.prepare(`${select} WHERE features IS NOT NULL`);
    this.#insert = connection.prepare(`${insertInto(tiersTable)} ON CONFLICT DO NOTHING`);
    this.#update = connection.prepare(
      `${updateOf(tiersTable)} WHERE product_id = @product_id AND id = @id AND revision = @revision - 1`,
    );
  }

  find(productId: string, id: string, call: Call): Promise<Tier | null> {
    return this.#database.read(call, () => mapOrNull(this.#find.get(productId, id), fromTierRow));
  }

  page(productId: string, after: string | null, limit: number, call: Call): Promise<readonly DeclaredTier[]> {
    return this.#database.read(call, () => declared(this.#page.all(productId, after ?? '', limit)));
  }

  all(call: Call): Promise<readonly DeclaredTier[]> {
    return this.#database.read(call, () => declared(this.#all.all()));
  }

  replace(next: Tier, event: TierEvent, call: Call): Promise<ReplaceOutcome> {
    const write = next.revision === 1 ? this.#insert : this.#update;
    const row = toTierRow(next);
    return this.#database.write(call, () => {
      if (write.run(row).changes === 0) return { kind: 'stale' };
      this.#log.append(next.productId, [event], call.now);
      return { kind: 'replaced' };
    });
  }
}

function declared(rows: readonly TierRow[]): readonly DeclaredTier[] {
  return rows.map(fromTierRow).filter(isDeclared);
}
