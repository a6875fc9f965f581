import type { Snapshot } from '../../../../../core/entitlement/snapshot.ts';
import type { EntitlementStatus } from '../../../../../core/entitlement/status.ts';
import { html, type Html } from '../../../markup/html.ts';
import { shortDayText } from '../../display/dates.ts';

/** The word for each state. */
export const stateNames: Readonly<Record<EntitlementStatus, string>> = {
  trialing: 'Trial',
  active: 'Active',
  past_due: 'Past due',
  suspended: 'Suspended',
  canceled: 'Canceled',
  expired: 'Expired',
  revoked: 'Revoked',
};

const dot = html`<circle class="fill" cx="5" cy="5" r="4" />`;
const ring = html`<circle cx="5" cy="5" r="3.7" />`;

/** The shape and the color of a badge. A state is a shape, a word and a color. */
const looks = {
  trialing: ['info', html`${ring}<path class="fill" d="M5 1.5a3.5 3.5 0 0 1 0 7z" />`],
  active: ['ok', dot],
  past_due: ['warn', html`<circle cx="5" cy="5" r="4" /><path d="M5 2.8V5l1.5 1" />`],
  suspended: ['warn', html`<path d="M3 1.5v7M7 1.5v7" />`],
  canceled: ['', html`${ring}<path d="M3 5h4" />`],
  expired: ['', ring],
  revoked: ['bad', html`<path d="m1.8 1.8 6.4 6.4M8.2 1.8 1.8 8.2" />`],
} as const satisfies Readonly<Record<EntitlementStatus, readonly [color: string, shape: Html]>>;

/** A badge that says a state. */
export function stateBadge(status: EntitlementStatus): Html {
  return badge(status, stateNames[status]);
}

/** A badge with a text of its own that looks as a state does. */
export function badge(looksAs: EntitlementStatus, text: string): Html {
  const [color, shape] = looks[looksAs];
  return html`<span class="${color === '' ? 'badge' : `badge ${color}`}"
    ><svg viewBox="0 0 10 10" aria-hidden="true">${shape}</svg>${text}</span
  >`;
}

/** The badges of an entitlement: its state and, while a cancellation is scheduled, the day of its end. */
export function entitlementBadges({ status, cancelAt, active }: Snapshot, now: Date): Html {
  if (cancelAt === null || !active) return stateBadge(status);
  return html`${stateBadge(status)} <span class="badge plain">Ends ${shortDayText(cancelAt, now)}</span>`;
}
