import type { Database as Connection, Statement } from 'better-sqlite3';
import type { Call } from '../../../core/call.ts';
import type { EntitlementHistory } from '../../../core/entitlement/administration/all-entitlements.port.ts';
import { maxHistory, type HistoryEntry } from '../../../core/entitlement/history-entry.ts';
import type { SqliteDatabase } from '../engine/sqlite-database.ts';
import { chunkSize, fromChunks } from './history-row.ts';

/** Prepares the look-up of the history of an entitlement, the newest entry first. */
export function historyReader(connection: Connection): (entitlementId: string) => readonly HistoryEntry[] {
  const chunks = connection
    .prepare<[string, string], string>(
      `SELECT recent_history FROM entitlements WHERE id = ?
      UNION ALL SELECT entries FROM entitlement_history WHERE entitlement_id = ?`,
    )
    .pluck();
  return (id) => fromChunks(chunks.all(id, id));
}

export class SqliteEntitlementHistory implements EntitlementHistory {
  readonly #database: SqliteDatabase;
  readonly #read: (entitlementId: string) => readonly HistoryEntry[];

  constructor(database: SqliteDatabase) {
    this.#database = database;
    this.#read = historyReader(database.connection);
  }

  list(entitlementId: string, call: Call): Promise<readonly HistoryEntry[]> {
    return this.#database.read(call, () => this.#read(entitlementId));
  }
}

/** Keeps the recent history in the rows of entitlements short. */
export class HistoryChunks {
  readonly #move: Statement<[number, string]>;
  readonly #empty: Statement<[string]>;
  readonly #prune: Statement<[string, number]>;

  constructor({ connection }: SqliteDatabase) {
    this.#move = connection.prepare(
      `INSERT INTO entitlement_history (entitlement_id, version, entries)
      SELECT id, ?, recent_history FROM entitlements WHERE id = ?`,
    );
    this.#empty = connection.prepare(`UPDATE entitlements SET recent_history = '' WHERE id = ?`);
    this.#prune = connection.prepare('DELETE FROM entitlement_history WHERE entitlement_id = ? AND version <= ?');
  }

  /** Moves the chunk that an entry has filled, and removes old ones. Call it within the write that adds the entry. */
  moveFull(entitlementId: string, { version }: HistoryEntry): void {
    if (version % chunkSize !== 0) return;
    this.#move.run(version, entitlementId);
    this.#empty.run(entitlementId);
    this.#prune.run(entitlementId, version - maxHistory);
  }
}
