import { textRule } from './value-rule.ts';

const form = /^(\d{4}-\d{2}-\d{2})T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/;

const earliest = Date.UTC(1970, 0);
/** Leaves room for a grace of a hundred years and one more interval before the year 10000. */
const latest = Date.UTC(9000, 0);

export const instantRule = textRule(
  parseInstant,
  'must be an instant with Z or an offset, such as 2026-08-01T00:00:00Z, from 1970 to 8999',
);

/** Parses a date-time with an offset (RFC 3339 §5.6), to the millisecond. Returns null for any other text. */
export function parseInstant(text: string): Date | null {
  const day = form.exec(text.toUpperCase())?.[1];
  if (day === undefined || !isOnTheCalendar(day)) return null;
  return instantOf(Date.parse(text.toUpperCase()));
}

/** The instant of a number of milliseconds since 1970 began. Null for any that no instant of the interface can be. */
export function instantOf(milliseconds: number): Date | null {
  return milliseconds >= earliest && milliseconds < latest ? new Date(milliseconds) : null;
}

/** Reports whether the day exists: `Date` reads 30 February as 2 March. */
function isOnTheCalendar(day: string): boolean {
  const parsed = Date.parse(`${day}T00:00:00Z`);
  return !Number.isNaN(parsed) && new Date(parsed).toISOString().startsWith(day);
}
