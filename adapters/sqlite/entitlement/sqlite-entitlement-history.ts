import type { Statement } from 'better-sqlite3';
import type { Call } from '../../../core/call.ts';
import type { EntitlementHistory } from '../../../core/entitlement/administration/entitlement-history.port.ts';
import { maxHistory, type HistoryEntry } from '../../../core/entitlement/history-entry.ts';
import type { SqliteDatabase } from '../engine/sqlite-database.ts';
import { insertInto, selectFrom } from '../engine/table.ts';
import { fromHistoryRow, historyTable, toHistoryRow, type HistoryRow } from './history-row.ts';

/** The statement that reads the history of an entitlement. */
export const selectHistory = `${selectFrom(historyTable)} WHERE entitlement_id = ? ORDER BY version DESC LIMIT ${maxHistory}`;

/** Old entries are removed at every change whose version is a multiple of this. */
const pruneEvery = 20;

export class SqliteEntitlementHistory implements EntitlementHistory {
  readonly #database: SqliteDatabase;
  readonly #list: Statement<[string], HistoryRow>;

  constructor(database: SqliteDatabase) {
    this.#database = database;
    this.#list = database.connection.prepare(selectHistory);
  }

  list(entitlementId: string, call: Call): Promise<readonly HistoryEntry[]> {
    return this.#database.read(call, () => this.#list.all(entitlementId).map(fromHistoryRow));
  }
}

/** Adds entries to the history. Call `add` within a write. */
export class HistoryWriter {
  readonly #insert: Statement<[HistoryRow]>;
  readonly #prune: Statement<[string, number]>;

  constructor({ connection }: SqliteDatabase) {
    this.#insert = connection.prepare(insertInto(historyTable));
    this.#prune = connection.prepare('DELETE FROM entitlement_history WHERE entitlement_id = ? AND version <= ?');
  }

  add(entitlementId: string, entry: HistoryEntry): void {
    this.#insert.run(toHistoryRow(entitlementId, entry));
    if (entry.version % pruneEvery === 0) this.#prune.run(entitlementId, entry.version - maxHistory);
  }
}
