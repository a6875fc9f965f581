import type { Call } from '../../call.ts';
import type { NewId } from '../../identifier.ts';
import type { NewLicense } from '../../license/license.ts';
import type { CommandRefusal } from '../../refusal.ts';
import { recordGrant } from '../event/change-record.ts';
import { decideGrant, type Grant, type GrantDecision, type MadeForGrant } from '../grant.ts';
import type { AddInterval } from '../period-end.ts';
import type { Addition, AddOutcome } from './all-entitlements.port.ts';

/** Why an entitlement was not added. */
export const additionRefusals = {
  'id taken': 'entitlement_exists',
  'license taken': 'license_key_exists',
  'reference taken': 'reference_exists',
} as const satisfies Record<Exclude<AddOutcome['kind'], 'added'>, CommandRefusal>;

export type AdditionDecision =
  { readonly kind: 'granted'; readonly addition: Addition } | Extract<GrantDecision, { readonly kind: 'refused' }>;

/** Decides which entitlement a grant makes, and the records that are stored with it. */
export type MakeAddition = (
  grant: Grant,
  made: MadeForGrant,
  operation: 'granted' | 'imported',
  call: Call,
) => AdditionDecision;

/**
 * Adds an entitlement with a license. If an entitlement of the product that has ended has the key, the license moves to
 * the new one in the same write, because the buyer has come back.
 */
export type AddWithLicense = (addition: Addition, made: NewLicense, call: Call) => Promise<AddOutcome>;

export function makeAddition(addInterval: AddInterval, newEventId: NewId): MakeAddition {
  return (grant, made, operation, call) => {
    const decision = decideGrant(grant, made, call.now, addInterval);
    if (decision.kind === 'refused') return decision;
    const { next, changeRecord } = recordGrant(
      decision.entitlement,
      { operation, reason: grant.reason ?? null },
      call,
      newEventId,
    );
    return { kind: 'granted', addition: { entitlement: next, changeRecord } };
  };
}
