import { hour } from '../../parsing/duration.ts';

/**
 * The time for which a record is kept for its key, and the maximum number of records that one entitlement may have in
 * that time.
 */
export interface Retention {
  /** Milliseconds: the time promised to clients and an hour more, because clocks differ. */
  readonly milliseconds: number;
  readonly recordsPerEntitlement: number;
}

/** States that servers keep each record that they make before `until` for that many milliseconds. */
export interface RetentionPromise {
  readonly milliseconds: number;
  readonly until: Date;
}

/**
 * The minimum and the default of the time promised to clients, in milliseconds. Stripe keeps 24 h; 72 h outlasts a
 * weekend.
 */
export const minTtl = 24 * hour;
export const defaultTtl = 72 * hour;

/** The retention for a promise of `ttl` milliseconds. */
export function retentionFor(ttl: number): Retention {
  return { milliseconds: ttl + hour, recordsPerEntitlement: 1000 };
}

/**
 * The retention that a process must apply: its own, or the maximum of the promises under which a record can be live. So
 * a shorter setting takes effect once everything promised under the longer one has expired.
 */
export function retentionAt(own: Retention, promises: readonly RetentionPromise[], now: Date): Retention {
  const binding = promises.filter(({ milliseconds, until }) => now.getTime() < until.getTime() + milliseconds);
  return { ...own, milliseconds: Math.max(own.milliseconds, ...binding.map(({ milliseconds }) => milliseconds)) };
}

/** Records made at this instant or before have expired. They count as absent everywhere, removed or not. */
export function expiredAt(retention: Retention, now: Date): Date {
  return new Date(now.getTime() - retention.milliseconds);
}

/**
 * The instant at which an entitlement whose live records were made at these instants has room for another: when the
 * oldest expires.
 */
export function roomAt(retention: Retention, madeAt: readonly Date[]): Date {
  return new Date(Math.min(...madeAt.map((at) => at.getTime())) + retention.milliseconds);
}
