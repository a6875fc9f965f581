import type { EntitlementEvent } from '../../../../core/entitlement/event/entitlement-event.ts';
import type { EventType } from '../../../../core/entitlement/event/event-type.ts';
import type { WebhookType } from '../../../../core/webhook/webhook-endpoint.ts';

/** The name of each type of event, for people. */
export const eventNames: Readonly<Record<EventType, string>> = {
  'entitlement.granted': 'Granted',
  'entitlement.renewed': 'Renewed',
  'entitlement.tier_changed': 'Tier changed',
  'entitlement.cancellation_scheduled': 'Cancellation scheduled',
  'entitlement.cancellation_undone': 'Cancellation undone',
  'entitlement.past_due': 'Past due',
  'entitlement.suspended': 'Suspended',
  'entitlement.reinstated': 'Reinstated',
  'entitlement.ended': 'Ended',
  'entitlement.ending_soon': 'Ending soon',
  'license.rotated': 'Key replaced',
  'license.moved': 'License moved',
  'license.revoked': 'License revoked',
  'entitlement.allowance_changed': 'Allowance changed',
  'device.activated': 'Device activated',
  'device.released': 'Device released',
};

/** The same for the types that an endpoint can ask for. */
export const webhookNames: Readonly<Record<WebhookType, string>> = {
  ...eventNames,
  'tier.changed': 'What a tier allows was changed',
  'sale.attributed': 'Sale of an affiliate',
  'statement.closed': 'Statement of an affiliate closed',
  'statement.paid': 'Payment of a statement changed',
};

const endNames: Readonly<Record<string, string>> = { canceled: 'Canceled', expired: 'Expired', revoked: 'Revoked' };

/** The text of an event, for people: an end by its reason. */
export function eventText({ type, entitlement }: EntitlementEvent): string {
  return (type === 'entitlement.ended' ? endNames[entitlement.status] : undefined) ?? eventNames[type];
}
