import type { HistoryOperation } from '../history-entry.ts';

/** The event type of each operation of the history. Changes by commands and by the clock share the types. */
const typeOfOperation = {
  granted: 'entitlement.granted',
  imported: 'entitlement.granted',
  renewed: 'entitlement.renewed',
  tier_changed: 'entitlement.tier_changed',
  cancellation_scheduled: 'entitlement.cancellation_scheduled',
  cancellation_undone: 'entitlement.cancellation_undone',
  past_due: 'entitlement.past_due',
  suspended: 'entitlement.suspended',
  reinstated: 'entitlement.reinstated',
  revoked: 'entitlement.ended',
  ended: 'entitlement.ended',
  license_rotated: 'license.rotated',
  license_moved: 'license.moved',
  license_revoked: 'license.revoked',
  allowance_changed: 'entitlement.allowance_changed',
} as const satisfies Readonly<Record<HistoryOperation, string>>;

/** The types of events that no operation of the history causes: of the clock alone, and of devices. */
const otherTypes = ['entitlement.ending_soon', 'device.activated', 'device.released'] as const;

export type EventType = (typeof typeOfOperation)[HistoryOperation] | (typeof otherTypes)[number];

export const eventTypes: readonly EventType[] = [
  ...new Set<EventType>([...Object.values(typeOfOperation), ...otherTypes]),
];

export function eventTypeOf(operation: HistoryOperation): EventType {
  return typeOfOperation[operation];
}
