/** Bounds of the wait before the first retry and before any, in milliseconds. */
const firstBound = 500;
const maxBound = 8000;

/**
 * Returns the milliseconds to wait before a retry, counted from 1: what the service asks for, and a random part, so that
 * clients that failed together do not come back together. The bound of the random part doubles with each retry.
 */
export function retryDelay(retry: number, retryAfter: number | null, random: () => number): number {
  const bound = Math.min(maxBound, firstBound * 2 ** (retry - 1));
  return (retryAfter ?? 0) + random() * bound;
}

/**
 * Reads a `Retry-After` (RFC 9110 §10.2.3), in seconds or as a date, into milliseconds from `now`. Returns null where it
 * is absent or neither.
 */
export function parseRetryAfter(value: string | null, now: number): number | null {
  if (value === null) return null;
  if (/^\s*\d+\s*$/.test(value)) return Number(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}
