import { parseHttpDate } from '../operations/http-date.ts';

/** Reads a `Retry-After` field (RFC 9110 §10.2.3), which has seconds or a date. Returns milliseconds; null if unreadable. */
export function retryAfterOf(field: string | undefined, now: Date): number | null {
  if (field === undefined) return null;
  const seconds = Number(field);
  if (field !== '' && Number.isSafeInteger(seconds) && seconds >= 0) return seconds * 1000;
  const at = parseHttpDate(field, now);
  return at === null ? null : Math.max(0, at.getTime() - now.getTime());
}
