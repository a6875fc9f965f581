const form = /^(\d{4}-\d{2}-\d{2})T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/;

const earliest = Date.UTC(1970, 0);
/** A hundred years of grace and an interval more still have four-digit years. */
const latest = Date.UTC(9000, 0);

/** The instant of a date-time with an offset (RFC 3339 §5.6), to the millisecond, from 1970 to 8999; null for anything else. */
export function parseInstant(text: string): Date | null {
  const day = form.exec(text.toUpperCase())?.[1];
  if (day === undefined || !isOnTheCalendar(day)) return null;
  const milliseconds = Date.parse(text.toUpperCase());
  return milliseconds >= earliest && milliseconds < latest ? new Date(milliseconds) : null;
}

/** `Date` itself takes 30 February for 2 March. */
function isOnTheCalendar(day: string): boolean {
  const parsed = Date.parse(`${day}T00:00:00Z`);
  return !Number.isNaN(parsed) && new Date(parsed).toISOString().startsWith(day);
}
