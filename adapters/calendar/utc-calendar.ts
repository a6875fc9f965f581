import dayjs from 'dayjs';
import utc from 'dayjs/plugin/utc.js';
import type { AddInterval } from '../../core/entitlement/period-end.ts';

dayjs.extend(utc);

/** Adds intervals by the UTC calendar; a day that the month does not have becomes its last. */
export const addInterval: AddInterval = (start, interval, count, day) => {
  const end = dayjs.utc(start).add(count, interval);
  if (day === undefined || interval === 'day' || interval === 'week') return end.toDate();
  return end.date(Math.min(day, end.daysInMonth())).toDate();
};
