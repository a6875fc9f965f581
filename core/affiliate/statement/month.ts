import { textThat } from '../../parsing/value-rule.ts';

/** A month of the UTC calendar, such as `2026-11`. Months sort as texts do. */
export type Month = string;

/** The form of a month, for the documents of the interface. */
export const monthPattern = '^[1-9][0-9]{3}-(0[1-9]|1[0-2])$';

const monthForm = new RegExp(monthPattern);

export const monthRule = textThat((text) => monthForm.test(text), 'must be a month, such as 2026-11');

/** The instant at which a month has ended, and the next one begins. */
export function endOfMonth(month: Month): Date {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number, 1));
}

export function lastInstantOf(month: Month): Date {
  return new Date(endOfMonth(month).getTime() - 1);
}

/** Whether a month is over, so that it can be closed. */
export function isOver(month: Month, now: Date): boolean {
  return endOfMonth(month) <= now;
}

/** The last month that is over. */
export function lastMonthOver(now: Date): Month {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 1)).toISOString().slice(0, 7);
}
