import type { SaleEvent } from '../affiliate/sale/sale-event.ts';
import type { StatementEvent } from '../affiliate/statement/statement-event.ts';
import type { EntitlementEvent } from '../entitlement/event/entitlement-event.ts';
import type { TierEvent } from '../tier/tier-event.ts';

/** An event in the log of a product: of an entitlement, of a tier, or of an affiliate's sale or statement. */
export type LoggedEvent = EntitlementEvent | TierEvent | SaleEvent | StatementEvent;

/**
 * Names the subject of an event: an entitlement, or something else, whose name has a slash, which no identifier has.
 * The events of one subject are delivered in order, and their sequences count from 1.
 */
export function subjectOf(event: LoggedEvent): string {
  if (isOfEntitlement(event)) return event.entitlement.id;
  if (event.type === 'tier.changed') return tierSubject(event.tierId);
  return event.type === 'sale.attributed' ? saleSubject(event.sale.id) : statementSubject(event.statement.id);
}

const tierPrefix = 'tier/';
const statementPrefix = 'statement/';
const salePrefix = 'sale/';

export function tierSubject(tierId: string): string {
  return `${tierPrefix}${tierId}`;
}

/** The tier that a subject names; null for anything else. */
export function tierInSubject(subject: string): string | null {
  return subject.startsWith(tierPrefix) ? subject.slice(tierPrefix.length) : null;
}

export function statementSubject(statementId: string): string {
  return `${statementPrefix}${statementId}`;
}

/** The statement that a subject names; null for anything else. */
export function statementInSubject(subject: string): string | null {
  return subject.startsWith(statementPrefix) ? subject.slice(statementPrefix.length) : null;
}

export function saleSubject(saleId: string): string {
  return `${salePrefix}${saleId}`;
}

/** The sale that a subject names, by its own id; null for anything else. */
export function saleInSubject(subject: string): string | null {
  return subject.startsWith(salePrefix) ? subject.slice(salePrefix.length) : null;
}

export function isOfEntitlement(event: LoggedEvent): event is EntitlementEvent {
  return 'entitlement' in event;
}
