import type { HistoryEntry } from '../../../core/entitlement/history-entry.ts';
import { table } from '../engine/table.ts';

/**
 * A row of `entitlement_history`. The facts are one JSON array, `[at, by, operation, correlation id]`, because each
 * change writes a row and a bound value costs as much as a short text.
 */
export interface HistoryRow {
  readonly entitlement_id: string;
  readonly version: number;
  readonly facts: string;
}

export const historyTable = table<HistoryRow>('entitlement_history', {
  entitlement_id: true,
  version: true,
  facts: true,
});

type Facts = readonly [number, HistoryEntry['by'], HistoryEntry['operation'], string];

export function toHistoryRow(entitlementId: string, entry: HistoryEntry): HistoryRow {
  const { at, by, operation, correlationId, version } = entry;
  const facts = [at.getTime(), by, operation, correlationId] satisfies Facts;
  return { entitlement_id: entitlementId, version, facts: JSON.stringify(facts) };
}

export function fromHistoryRow({ version, facts }: HistoryRow): HistoryEntry {
  const [at, by, operation, correlationId] = JSON.parse(facts) as Facts;
  return { at: new Date(at), by, operation, correlationId, version };
}
