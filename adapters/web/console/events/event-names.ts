import type { Actor } from '../../../../core/call.ts';
import type { EventType } from '../../../../core/entitlement/event/event-type.ts';

/** What each type of event says to people. */
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
  'license.rotated': 'License rotated',
  'license.revoked': 'License revoked',
};

const actorNames: ReadonlyMap<string, string> = new Map([
  ['app-key', 'App key'],
  ['operator', 'Operator'],
  ['command', 'Command by'],
  ['clock', 'The clock'],
]);

/** Who has caused a change: "App key key_1". */
export function actorText(by: Actor): string {
  const [kind = '', ...id] = by.split(':');
  return [actorNames.get(kind) ?? kind, id.join(':')].join(' ').trim();
}
