import { html, type Html } from '../../markup/html.ts';

const dayFormat = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });
const timeFormat = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: 'UTC' });
const secondFormat = new Intl.DateTimeFormat('en-GB', {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  timeZone: 'UTC',
});

/** An instant to the minute: "24 November 2026, 14:06 UTC". */
export function instant(at: Date): Html {
  return html`<time datetime="${at.toISOString()}">${dayFormat.format(at)}, ${timeFormat.format(at)} UTC</time>`;
}

/** The same to the second, for lists of what happened. */
export function preciseInstant(at: Date): Html {
  return html`<time datetime="${at.toISOString()}">${dayFormat.format(at)}, ${secondFormat.format(at)} UTC</time>`;
}

/** The day of an instant in UTC: "24 November 2026". */
export function dayOf(at: Date): Html {
  return html`<time datetime="${at.toISOString()}">${dayFormat.format(at)}</time>`;
}

const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/** How far away an instant is: "in 42 minutes", "3 days ago", "now". */
export function distance(at: Date, now: Date): string {
  const ahead = at.getTime() - now.getTime();
  const size = Math.abs(ahead);
  const unit = units.find(([, length]) => size >= length);
  if (unit === undefined) return ahead > 0 ? 'in less than a minute' : 'just now';
  const count = Math.floor(size / unit[1]);
  const text = `${count} ${unit[0]}${count === 1 ? '' : 's'}`;
  return ahead > 0 ? `in ${text}` : `${text} ago`;
}
