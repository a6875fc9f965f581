const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

/** The delays after the first failure, the second and so on: the schedule that Standard Webhooks 1.0.0 recommends. */
const delays: readonly number[] = [
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
];

/** The maximum delay that a receiver can ask for. */
const maxRetryAfter = 24 * hour;

/** The terms of a delay beside the number of failures. */
export interface DelayTerms {
  /** A random number from 0 to 1. It spreads the retries of many events by 20 % in both directions. */
  readonly jitter: number;
  /** Milliseconds that the receiver asks for; null if it does not. */
  readonly retryAfter: number | null;
  /**
   * The attempts on a receiver that is down: by probes, of which each has a next one, or each event by its own schedule,
   * so that it is parked in the end and the receiver is never disabled.
   */
  readonly whenDown: 'probe' | 'schedule';
}

/** The delay after a number of failures, in milliseconds; null if that was the last attempt. */
export function retryDelay(failures: number, terms: DelayTerms): number | null {
  const delay = delays[failures - 1];
  return delay === undefined ? null : delayOf(delay, terms);
}

/** The delay before an endpoint that is down is tried again, however often it has failed. */
export function probeDelay(failures: number, terms: DelayTerms): number {
  return delayOf(delays[Math.min(failures, delays.length) - 1] ?? second, terms);
}

function delayOf(delay: number, { jitter, retryAfter }: DelayTerms): number {
  return Math.max(Math.round(delay * (0.8 + 0.4 * jitter)), Math.min(retryAfter ?? 0, maxRetryAfter));
}
