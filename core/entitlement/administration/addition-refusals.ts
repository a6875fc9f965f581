import type { CommandRefusal } from '../../refusal.ts';
import type { AddOutcome } from './all-entitlements.port.ts';

/** Why an entitlement was not added. */
export const additionRefusals = {
  'id taken': 'entitlement_exists',
  'license taken': 'license_key_exists',
  'reference taken': 'reference_exists',
} as const satisfies Record<Exclude<AddOutcome['kind'], 'added'>, CommandRefusal>;
