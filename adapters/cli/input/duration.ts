const day = 86_400_000;
const units: ReadonlyMap<string, number> = new Map([
  ['s', 1000],
  ['m', 60_000],
  ['h', 3_600_000],
  ['d', day],
]);

/** The longest duration that can be said, in milliseconds: a hundred years, so that no sum leaves the calendar. */
export const maxDuration = 36_500 * day;

/** Milliseconds of a whole number with `s`, `m`, `h` or `d`; null for any other text and for more than `maxDuration`. */
export function parseDuration(text: string): number | null {
  const unit = units.get(text.slice(-1));
  if (unit === undefined || !/^\d{1,15}$/.test(text.slice(0, -1))) return null;
  const milliseconds = Number(text.slice(0, -1)) * unit;
  return milliseconds <= maxDuration ? milliseconds : null;
}
