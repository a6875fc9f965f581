/** A part of a log that is removed as a whole: an event, or events that were stored together. */
export interface LogPart {
  /** The position of its first event. */
  readonly first: number;
  readonly storedAt: Date;
}

/** What a log must keep. */
export interface KeptEvents {
  /** Events that were stored after this instant. */
  readonly until: Date;
  /** The first position that a webhook endpoint has not got; infinite if every endpoint has everything. */
  readonly needed: number;
}

/**
 * The first position to keep, given the oldest parts of a log in their order. The last part is always kept, because the
 * position of the next event follows from it. Returns 0 for an empty log.
 */
export function firstKept(oldest: readonly LogPart[], { until, needed }: KeptEvents): number {
  const kept = oldest.find(({ storedAt }, index) => {
    const next = oldest[index + 1];
    const isRemovable = next !== undefined && storedAt <= until && next.first <= needed;
    return !isRemovable;
  });
  return kept?.first ?? 0;
}
