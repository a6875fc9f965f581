import type { EntitlementEvent } from '../entitlement/event/entitlement-event.ts';
import type { TierEvent } from '../tier/tier-event.ts';

/** An event in the log of a product: of an entitlement, or of a tier. */
export type LoggedEvent = EntitlementEvent | TierEvent;

/**
 * Names what an event is about: an entitlement, or a tier, whose name has a slash, which no identifier has. The events of
 * one subject are delivered in order, and their sequences count from 1.
 */
export function subjectOf(event: LoggedEvent): string {
  return event.type === 'tier.changed' ? tierSubject(event.tierId) : event.entitlement.id;
}

const tierPrefix = 'tier/';

export function tierSubject(tierId: string): string {
  return `${tierPrefix}${tierId}`;
}

/** The tier that a subject names; null for an entitlement. */
export function tierInSubject(subject: string): string | null {
  return subject.startsWith(tierPrefix) ? subject.slice(tierPrefix.length) : null;
}

export function isOfEntitlement(event: LoggedEvent): event is EntitlementEvent {
  return event.type !== 'tier.changed';
}
