import type { Database as Connection, Statement } from 'better-sqlite3';
import type { Call } from '../../../core/call.ts';
import type { EntitlementHistory } from '../../../core/entitlement/administration/all-entitlements.port.ts';
import { maxHistory, type HistoryEntry, type HistoryOperation } from '../../../core/entitlement/history-entry.ts';
import { damagedStore } from '../engine/errors.ts';
import type { SqliteDatabase } from '../engine/sqlite-database.ts';
import { table } from '../engine/table.ts';

/** A row of `entitlement_history`: a chunk of entries, and the version that the last one has made. */
export interface HistoryRow {
  readonly entitlement_id: string;
  readonly version: number;
  readonly entries: string;
}

export const historyTable = table<HistoryRow>('entitlement_history', {
  entitlement_id: true,
  version: true,
  entries: true,
});

/**
 * A chunk ends at every version that is a multiple of this. A row of `entitlements` over 1,002 bytes needs a page of its
 * own for the rest; without history it has about 350, and an entry of an app key has about 100.
 */
const chunkSize = 6;

/** Short, because each entry is written again with every change of its row. A stored code must keep its meaning. */
const codes: Readonly<Record<HistoryOperation, string>> = {
  granted: 'g',
  imported: 'i',
  renewed: 'r',
  tier_changed: 't',
  cancellation_scheduled: 'c',
  cancellation_undone: 'u',
  past_due: 'p',
  suspended: 's',
  reinstated: 'b',
  revoked: 'x',
  ended: 'e',
  license_rotated: 'lr',
  license_moved: 'lm',
  license_revoked: 'lx',
  allowance_changed: 'a',
};

const operations = new Map(Object.entries(codes).map(([operation, code]) => [code, operation as HistoryOperation]));

/** Without the last member for none. */
type Line = readonly [number, number, string, HistoryEntry['by'], string, reason?: HistoryEntry['reason']];

/** Returns an entry as a line of JSON, which is appended to the lines of older entries. */
export function toLine({ version, at, operation, by, correlationId, reason }: HistoryEntry): string {
  const line: Line = [version, at.getTime(), codes[operation], by, correlationId];
  return `${JSON.stringify(reason === null ? line : [...line, reason])}\n`;
}

/** Returns the entries of chunks in any order: the last `maxHistory`, the newest first. */
function fromChunks(chunks: readonly string[]): readonly HistoryEntry[] {
  const lines = chunks.join('').split('\n').slice(0, -1);
  return lines
    .map(fromLine)
    .toSorted((a, b) => b.version - a.version)
    .slice(0, maxHistory);
}

function fromLine(line: string): HistoryEntry {
  const [version, at, code, by, correlationId, reason = null] = JSON.parse(line) as Line;
  const operation = operations.get(code);
  if (operation === undefined) throw damagedStore(`the history of an entitlement has an operation "${code}"`);
  return { at: new Date(at), by, operation, correlationId, version, reason };
}

/** A history as it is stored: full chunks in rows of their own, the rest with the entitlement. */
export interface StoredHistory {
  readonly recent: string;
  readonly rows: readonly HistoryRow[];
}

/** Returns a history, the newest entry first, as the changes that made it would have stored it. */
export function storedHistory(entitlementId: string, entries: readonly HistoryEntry[]): StoredHistory {
  const chunkOf = ({ version }: HistoryEntry): number => Math.ceil(version / chunkSize);
  const chunks = Map.groupBy(entries.toReversed(), chunkOf);
  const newest = entries[0];
  const open = newest === undefined || newest.version % chunkSize === 0 ? null : chunkOf(newest);
  const text = (number: number | null): string => ((number !== null && chunks.get(number)) || []).map(toLine).join('');
  const full = [...chunks.keys()].filter((number) => number !== open);
  return {
    recent: text(open),
    rows: full.map((number) => ({ entitlement_id: entitlementId, version: number * chunkSize, entries: text(number) })),
  };
}

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
