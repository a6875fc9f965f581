import type { Price } from '../objects/stored.ts';

const day = 86_400;

/** Returns the end of the period that starts at an instant, counted from the anchor, both in seconds. */
export function periodEnd(anchor: number, start: number, price: Price): number {
  const { interval = 'month', interval_count: count = 1 } = price.recurring ?? {};
  for (let passed = count; ; passed += count) {
    const end = after(anchor, interval, passed);
    if (end > start) return end;
  }
}

function after(anchor: number, interval: string, count: number): number {
  if (interval === 'day') return anchor + count * day;
  if (interval === 'week') return anchor + count * 7 * day;
  return monthsAfter(anchor, interval === 'year' ? count * 12 : count);
}

/** The same day of a later month, or its last one. */
function monthsAfter(anchor: number, count: number): number {
  const from = new Date(anchor * 1000);
  const first = Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + count, 1);
  const lastDay = new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + count + 1, 0)).getUTCDate();
  return first / 1000 + (Math.min(from.getUTCDate(), lastDay) - 1) * day + (anchor % day);
}
