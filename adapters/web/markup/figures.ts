/*
 * Numbers and days, as pages write them. Not with `Intl`, whose first use takes 13 ms and 8 MB of memory.
 */

const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const;

/** A count, 0 or more: "2,000". */
export function numberText(count: number): string {
  const thousands = Math.floor(count / 1000);
  return thousands === 0 ? String(count) : `${numberText(thousands)},${String(count % 1000).padStart(3, '0')}`;
}

/** A count, such as "1,000+" if there are more. */
export function countText(count: number, isMore = false): string {
  return numberText(count) + (isMore ? '+' : '');
}

/** A number of things: "1 event", "2,000 events". */
export function countOf(count: number, thing: string): string {
  return `${numberText(count)} ${thing}${count === 1 ? '' : 's'}`;
}

/** A day in UTC: "18 December 2026". */
export function fullDayText(at: Date): string {
  return `${dayOfYearText(at)} ${at.getUTCFullYear()}`;
}

/** A day of this year, in UTC: "18 December". */
export function dayOfYearText(at: Date): string {
  return `${at.getUTCDate()} ${monthName(at)}`;
}

/** A month in UTC: "December 2026". */
export function monthAndYearText(at: Date): string {
  return `${monthName(at)} ${at.getUTCFullYear()}`;
}

/** "December". */
export function monthName(at: Date): string {
  return months[at.getUTCMonth()] ?? '';
}
