import { cancellationOperations } from '../../../../core/entitlement/cancellation.ts';
import {
  billingTerms,
  entitlementKinds,
  maxDevices,
  maxIntervalCount,
} from '../../../../core/entitlement/entitlement.ts';
import { entitlementStatuses } from '../../../../core/entitlement/status.ts';
import {
  answerOf,
  constant,
  count,
  described,
  enumOf,
  flag,
  instant,
  listOf,
  named,
  nullableInstant,
  objectOf,
  text,
} from '../../../administration/declaration/schema-parts.ts';

export const deviceLimit = {
  type: ['integer', 'null'],
  minimum: 1,
  maximum: maxDevices,
  description: 'How many devices may have a seat at once; null without a limit.',
} as const;

/** The number of intervals in a period, where a count of 1 is left out. */
const intervalCount = {
  type: 'integer',
  minimum: 2,
  maximum: maxIntervalCount,
  description: 'How many billing intervals a period has. Absent for one interval and for a one-time purchase.',
} as const;

/** The members of an entitlement that are left out where they say nothing. */
export const optionalOfEntitlement = [
  'deviceLimit',
  'devicesUsed',
  'features',
  'tierRevision',
  'billingIntervalCount',
  'accessEndsAt',
  'updatesUntil',
] as const;

const snapshot = objectOf(
  {
    id: text,
    productId: text,
    kind: named('EntitlementKind'),
    status: named('EntitlementStatus'),
    active: described('Whether it gives access now.', flag),
    tierId: text,
    tierName: text,
    billingInterval: named('BillingInterval'),
    billingIntervalCount: intervalCount,
    currentPeriodStart: instant,
    currentPeriodEnd: described('Null for a one-time purchase.', nullableInstant),
    cancelAtPeriodEnd: described('Whether a cancellation is scheduled.', flag),
    cancelAt: described('When the scheduled cancellation ends access.', nullableInstant),
    canceledAt: described('When the cancellation was requested.', nullableInstant),
    endedAt: described('When access ended.', nullableInstant),
    accessEndsAt: described('When the access of a one-time purchase ends. Absent if it never does.', instant),
    updatesUntil: described(
      'Until when the buyer gets updates; it decides nothing here. Absent if none is set.',
      instant,
    ),
    allowedActions: described('The operations that would change something now.', listOf(named('EntitlementAction'))),
    createdAt: instant,
    updatedAt: instant,
    version: { type: 'integer', minimum: 1, description: 'The number of changes.' },
    deviceLimit,
    devicesUsed: described('How many devices have a seat. Absent, as the limit, where there are neither.', count),
    features: described('What it allows, by values of its own and of its tier. Absent for none.', named('Features')),
    tierRevision: described('The revision of its tier; in events that show what is allowed anew only.', {
      type: 'integer',
      minimum: 1,
    }),
  },
  { optional: optionalOfEntitlement },
);

/** The entitlement inside a license check: a one-time purchase has no period end (specification 2.4). */
const licensed = objectOf(
  {
    id: text,
    productId: text,
    status: named('EntitlementStatus'),
    tierId: text,
    tierName: text,
    billingInterval: named('BillingInterval'),
    currentPeriodEnd: described('Absent for a one-time purchase.', instant),
  },
  { optional: ['currentPeriodEnd'] },
);

const verification = objectOf(
  {
    valid: described('Whether the license gives access now.', flag),
    entitlement: named('LicensedEntitlement'),
  },
  { optional: ['entitlement'] },
);

/** The schemas of operations 4.4 to 4.7. */
export const entitlementSchemas = {
  LicenseVerification: verification,
  LicensedEntitlement: licensed,
  LicenseVerificationError: objectOf({ valid: constant(false), error: text }),
  EntitlementSnapshot: answerOf('Entitlement'),
  Entitlement: snapshot,
  EntitlementStatus: described(
    '`trialing`, `active` and `past_due` give access; `canceled`, `expired` and `revoked` have ended.',
    enumOf(entitlementStatuses),
  ),
  EntitlementKind: enumOf(entitlementKinds),
  BillingInterval: described('A one-time purchase has `one_time`.', enumOf(billingTerms)),
  EntitlementAction: enumOf(cancellationOperations),
} as const;
