import { maxIntervalCount } from '../../../../core/entitlement/entitlement.ts';
import { endingReasons } from '../../../../core/entitlement/event/ending-soon.ts';
import { releaseReasons } from '../../../../core/entitlement/event/entitlement-event.ts';
import { eventTypes } from '../../../../core/entitlement/event/event-type.ts';
import { changeReasons } from '../../../../core/entitlement/history-entry.ts';
import {
  constant,
  described,
  enumOf,
  flag,
  instant,
  listOf,
  named,
  nullableInstant,
  nullableText,
  objectOf,
  text,
} from '../../../administration/declaration/schema-parts.ts';

/** The ways in which an entitlement ends. */
export const endReasons = ['canceled', 'expired', 'revoked'] as const;

const previousValues = objectOf(
  {
    status: named('EntitlementStatus'),
    tierId: text,
    tierName: text,
    billingInterval: named('BillingInterval'),
    billingIntervalCount: { type: 'integer', minimum: 1, maximum: maxIntervalCount },
    currentPeriodStart: instant,
    currentPeriodEnd: nullableInstant,
    cancelAt: nullableInstant,
    canceledAt: nullableInstant,
    endedAt: nullableInstant,
    accessEndsAt: nullableInstant,
    updatesUntil: nullableInstant,
    deviceLimit: { type: ['integer', 'null'], minimum: 1 },
    features: named('Features'),
  },
  {
    optional: [
      'status',
      'tierId',
      'tierName',
      'billingInterval',
      'billingIntervalCount',
      'currentPeriodStart',
      'currentPeriodEnd',
      'cancelAt',
      'canceledAt',
      'endedAt',
      'accessEndsAt',
      'updatesUntil',
      'deviceLimit',
      'features',
    ],
  },
);

/** The schemas of the feed. */
export const eventSchemas = {
  EventFeed: objectOf({
    success: constant(true),
    data: listOf(named('Event')),
    meta: named('EventFeedMeta'),
    correlationId: named('CorrelationId'),
  }),
  EventFeedMeta: objectOf({
    next: described('The `after` of the next request.', text),
    hasMore: described('Whether there are more events now.', flag),
  }),
  Event: objectOf({
    id: described('Unique; the same in every delivery of the event.', text),
    type: named('EventType'),
    timestamp: described('When it happened. For the clock, the instant itself.', instant),
    data: named('EventData'),
  }),
  EventType: enumOf(eventTypes),
  EventData: objectOf(
    {
      sequence: { type: 'integer', minimum: 1, description: 'Counts the events of the entitlement.' },
      correlationId: described('Names the request or command in the logs; null for the clock.', nullableText),
      by: described(
        'Who caused it: `app-key:ID`, `operator:ID`, `command:USER`, `license` (an app with the license key), `buyer` (on the own page), `stripe` or `clock`.',
        text,
      ),
      reason: described(
        'How it ended (`canceled`, `expired`, `revoked`), why it will end (`canceled`, `trial`, `unpaid`, `fixed_term`), why a device was released (`app`, `operator`, `replaced`, `idle`), or why Stripe or the clock has suspended access (`refunded`, `disputed`, `dispute_lost`, `unpaid`, `paused`). Absent from every other event.',
        enumOf([...new Set([...endReasons, ...endingReasons, ...releaseReasons, ...changeReasons])]),
      ),
      cause: described(
        'Why Stripe has revoked a purchase; in `entitlement.ended` only, whose `reason` says how it ended.',
        enumOf(changeReasons),
      ),
      endsAt: described('When access will end, after the grace; in `entitlement.ending_soon` only.', instant),
      device: described('The device; in `device.activated` and `device.released` only.', text),
      previous: named('PreviousValues'),
      entitlement: named('Entitlement'),
      license: named('EventLicense'),
    },
    { optional: ['reason', 'cause', 'endsAt', 'device', 'license'] },
  ),
  PreviousValues: { ...previousValues, description: 'The earlier values of what changed.' },
  EventLicense: {
    ...objectOf({
      lastFour: described('The last four characters of a generated key, for display.', nullableText),
      createdAt: instant,
      revokedAt: nullableInstant,
    }),
    description: 'The license; in `license.rotated` and `license.revoked` only.',
  },
} as const;
