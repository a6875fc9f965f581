import { parseDuration } from '../../core/parsing/duration.ts';
import { parseInstant } from '../../core/parsing/instant.ts';

/** An instant: RFC 3339 with `Z` or an offset, such as `2026-01-31T00:00:00Z`, or a date. */
export type Instant = string | Date;

/** Reads an instant. Throws `RangeError` for one that is not on the calendar of the service. */
export function instantOf(instant: Instant): Date {
  const isDate = instant instanceof Date;
  if (isDate && Number.isNaN(instant.getTime())) throw new RangeError('The date is invalid.');
  const parsed = parseInstant(isDate ? instant.toISOString() : instant);
  if (parsed === null)
    throw new RangeError(
      'An instant is a date or a text with Z or an offset, such as 2026-01-31T00:00:00Z, from 1970 to 8999.',
    );
  return parsed;
}

/** Reads a duration into milliseconds. Throws `RangeError` for any other text. */
export function durationOf(duration: string): number {
  const milliseconds = parseDuration(duration);
  if (milliseconds === null) throw new RangeError('A duration is a whole number with s, m, h or d, such as 31d.');
  return milliseconds;
}
