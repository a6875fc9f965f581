import { countOf, fullDayText, monthName } from '../../markup/figures.ts';
import { html, type Html } from '../../markup/html.ts';

/*
 * Pages show instants in UTC, and the absolute form before the relative one. The current year is left out.
 */

const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const;

/** "18 December", or "18 December 2027" in another year. */
export function dayText(at: Date, now: Date): string {
  return isSameYear(at, now) ? dayAndMonth(at) : fullDayText(at);
}

/** "18 Dec", or "18 Dec 2027" in another year. */
export function shortDayText(at: Date, now: Date): string {
  return isSameYear(at, now) ? shortDay(at) : shortFullDayText(at);
}

/** "18 Dec 2026". */
export function shortFullDayText(at: Date): string {
  return `${shortDay(at)} ${at.getUTCFullYear()}`;
}

/** "09:30". */
export function timeText(at: Date): string {
  return at.toISOString().slice(11, 16);
}

/** "09:30:15". */
export function secondText(at: Date): string {
  return at.toISOString().slice(11, 19);
}

/** "18 December 2026, 09:30 UTC". */
export function instantText(at: Date): string {
  return `${fullDayText(at)}, ${timeText(at)} UTC`;
}

/** "Friday 18 December, 09:30 UTC". */
export function weekdayText(at: Date, now: Date): string {
  return `${weekdayName(at)} ${dayText(at, now)}, ${timeText(at)} UTC`;
}

/** "Tuesday". */
export function weekdayName(at: Date): string {
  return weekdays[at.getUTCDay()] ?? '';
}

/** "today, 14:02", "18 November, 09:31". */
export function momentText(at: Date, now: Date): string {
  const isToday = at.toISOString().slice(0, 10) === now.toISOString().slice(0, 10);
  return `${isToday ? 'today' : dayText(at, now)}, ${timeText(at)}`;
}

/** "18 November to 18 December 2026". */
export function periodText(start: Date, end: Date): string {
  return `${dayText(start, end)} to ${fullDayText(end)}`;
}

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
const week = 7 * day;
const year = 365.2425 * day;
const month = year / 12;

/**
 * "in 24 days", "3 weeks ago". The future is counted in days for longer than the past: a date to wait for is counted
 * down.
 */
export function relativeText(at: Date, now: Date): string {
  const distance = at.getTime() - now.getTime();
  const amount = amountText(Math.abs(distance), distance > 0 ? 31 : 14);
  if (amount === null) return 'now';
  return distance > 0 ? `in ${amount}` : `${amount} ago`;
}

/** The time since an instant: "3 weeks", or "a moment". */
export function lastedText(since: Date, now: Date): string {
  return amountText(Math.max(0, now.getTime() - since.getTime()), 14) ?? 'a moment';
}

/** "in 24 days" for the future; "now" once the time has come, because it may take a moment. */
export function dueText(at: Date, now: Date): string {
  return at <= now ? 'now' : relativeText(at, now);
}

function amountText(distance: number, maxDays: number): string | null {
  if (Math.round(distance / second) < 1) return null;
  if (Math.round(distance / second) < 60) return countOf(Math.round(distance / second), 'second');
  if (Math.round(distance / minute) < 60) return countOf(Math.round(distance / minute), 'minute');
  if (Math.round(distance / hour) < 24) return countOf(Math.round(distance / hour), 'hour');
  if (Math.round(distance / day) < maxDays) return countOf(Math.round(distance / day), 'day');
  if (distance < 8 * week) return countOf(Math.floor(distance / week), 'week');
  if (distance < year) return countOf(Math.floor(distance / month), 'month');
  return countOf(Math.floor(distance / year), 'year');
}

/** A `time` element that shows a text. */
export function timeElement(at: Date, text: string): Html {
  return html`<time datetime="${at.toISOString()}">${text}</time>`;
}

/** A day in a table, with how long ago it was or how far it is: "25 Nov 2026", "4 minutes ago". `word` stands before it. */
export function datedCell(at: Date, now: Date, word = ''): Html {
  const text = word === '' ? shortFullDayText(at) : `${word} ${shortFullDayText(at)}`;
  return html`${timeElement(at, text)}<span class="sub">${relativeText(at, now)}</span>`;
}

/** An instant to the minute: "24 November 2026, 14:06 UTC". */
export function instant(at: Date): Html {
  return timeElement(at, instantText(at));
}

/** The same to the second and shorter, for lists of what happened: "24 Nov 2026, 14:06:12 UTC". */
export function preciseInstant(at: Date): Html {
  return timeElement(at, `${shortFullDayText(at)}, ${secondText(at)} UTC`);
}

/** The day of an instant: "24 November 2026". */
export function dayOf(at: Date): Html {
  return timeElement(at, fullDayText(at));
}

function dayAndMonth(at: Date): string {
  return `${at.getUTCDate()} ${monthName(at)}`;
}

function shortDay(at: Date): string {
  return `${at.getUTCDate()} ${monthName(at).slice(0, 3)}`;
}

function isSameYear(a: Date, b: Date): boolean {
  return a.getUTCFullYear() === b.getUTCFullYear();
}
