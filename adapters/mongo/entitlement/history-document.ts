import { maxHistory, type HistoryEntry } from '../../../core/entitlement/history-entry.ts';

/** An entry in the `history` of its entitlement, which has the oldest first. */
export interface HistoryDocument {
  readonly at: Date;
  readonly by: HistoryEntry['by'];
  readonly op: HistoryEntry['operation'];
  /** The correlation id. */
  readonly cid: string;
  readonly v: number;
}

export function toHistoryDocument({ at, by, operation, correlationId, version }: HistoryEntry): HistoryDocument {
  return { at, by, op: operation, cid: correlationId, v: version };
}

/** The history of an entitlement, the newest entry first. */
export function fromHistoryDocuments(history: readonly HistoryDocument[] = []): readonly HistoryEntry[] {
  return history
    .slice(-maxHistory)
    .toReversed()
    .map(({ at, by, op, cid, v }) => ({ at, by, operation: op, correlationId: cid, version: v }));
}
