import type { Snapshot } from '../../../../core/entitlement/snapshot.ts';
import type { EntitlementStatus } from '../../../../core/entitlement/status.ts';
import { badge, type Tone } from '../../markup/badge.ts';
import { html, type Html } from '../../markup/html.ts';
import { shortDayText } from '../display/dates.ts';

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

const tones: Readonly<Record<EntitlementStatus, Tone>> = {
  trialing: 'info',
  active: 'ok',
  past_due: 'warn',
  suspended: 'paused',
  canceled: 'closed',
  expired: 'over',
  revoked: 'bad',
};

/** A badge that says a state. */
export function stateBadge(status: EntitlementStatus): Html {
  return badge(tones[status], stateNames[status]);
}

/** The badges of an entitlement: its state and, while a cancellation is scheduled, the day of its end. */
export function entitlementBadges({ status, cancelAt, active }: Snapshot, now: Date): Html {
  if (cancelAt === null || !active) return stateBadge(status);
  return html`${stateBadge(status)} ${badge('plain', `Ends ${shortDayText(cancelAt, now)}`)}`;
}
