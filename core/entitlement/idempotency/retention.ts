/** How long a record answers for its key, and how many of them one entitlement may have in that time. */
export interface Retention {
  /** Milliseconds: the time promised to clients plus an hour for clocks that differ. */
  readonly milliseconds: number;
  readonly recordsPerEntitlement: number;
}

const hour = 3_600_000;

/** The least and the default time, in milliseconds, that is promised to clients (Stripe keeps 24 h; 72 h outlasts a weekend). */
export const minTtl = 24 * hour;
export const defaultTtl = 72 * hour;

/** What to keep when clients are promised `ttl` milliseconds. */
export function retentionFor(ttl: number): Retention {
  return { milliseconds: ttl + hour, recordsPerEntitlement: 1000 };
}

/** Records made at this instant or before it count as absent everywhere, removed or not. */
export function expiredAt(retention: Retention, now: Date): Date {
  return new Date(now.getTime() - retention.milliseconds);
}
