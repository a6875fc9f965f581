import type { SchemaObject } from 'ajv/dist/2020.js';
import { standings, suspensionCauses } from '../../../../../core/entitlement/entitlement.ts';
import { changeReasons, historyOperations, maxHistory } from '../../../../../core/entitlement/history-entry.ts';
import { warnings } from '../../../../administration/commands/tier-warning.ts';
import {
  constant,
  described,
  enumOf,
  instant,
  listOf,
  named,
  nullableInstant,
  nullableText,
  objectOf,
  orNull,
  text,
} from '../../../../administration/declaration/schema-parts.ts';
import { optionalOfEntitlement } from '../../docs/entitlement-schemas.ts';
import { schemas } from '../../docs/schemas.ts';

const { BillingInterval, Entitlement, EntitlementAction, EntitlementKind, EntitlementStatus } = schemas;

/** The named schemas of entitlements and their licenses. */
export const adminEntitlementSchemas = {
  BillingInterval,
  Entitlement,
  EntitlementAction,
  EntitlementKind,
  EntitlementStatus,
  License: objectOf({
    lastFour: described('The last four characters of a generated key, for display.', nullableText),
    createdAt: instant,
    revokedAt: nullableInstant,
  }),
  FullEntitlement: objectOf(
    {
      ...(Entitlement['properties'] as Readonly<Record<string, SchemaObject>>),
      reference: described("What the caller's own system calls the purchase.", nullableText),
      graceUntil: described('When access ends without a renewal; null for a purchase.', nullableInstant),
      license: orNull(named('License')),
      suspendedBy: described(
        'Why access is suspended. It stays so until each cause is lifted. Empty without a suspension.',
        listOf(enumOf(suspensionCauses)),
      ),
      own: named('OwnAllowance'),
    },
    { optional: optionalOfEntitlement },
  ),
  OwnAllowance: {
    ...objectOf({
      deviceLimit: described('Null for that of its tier.', {
        anyOf: [{ type: 'integer', minimum: 1 }, constant('unlimited'), { type: 'null' }],
      }),
      features: named('Features'),
    }),
    description: 'What an entitlement has of its own, which outlives a change of tier.',
  },
  TierChange: objectOf(
    { ...(Entitlement['properties'] as Readonly<Record<string, SchemaObject>>), warnings },
    { optional: [...optionalOfEntitlement, 'warnings'] },
  ),
  Warning: objectOf({ code: constant('tier_not_declared'), message: text }),
  Standing: enumOf(standings),
  Grant: objectOf(
    {
      entitlement: named('Entitlement'),
      licenseKey: described('The key, shown only this once; null in a repeated request.', nullableText),
      warnings,
    },
    { optional: ['warnings'] },
  ),
  HistoryOperation: enumOf(historyOperations),
  ChangeReason: enumOf(changeReasons),
  HistoryEntry: objectOf({
    at: instant,
    by: described('`app-key:ID`, `operator:ID`, `command:USER`, `buyer`, `stripe` or `clock`.', text),
    operation: named('HistoryOperation'),
    reason: described(
      'Why Stripe or the clock has taken access; null for every other change.',
      orNull(named('ChangeReason')),
    ),
    correlationId: named('CorrelationId'),
    version: described('The version that the change has made.', { type: 'integer', minimum: 1 }),
  }),
  HistoryAnswer: objectOf({
    success: constant(true),
    data: { ...listOf(named('HistoryEntry')), maxItems: maxHistory },
    correlationId: named('CorrelationId'),
  }),
} as const satisfies Readonly<Record<string, SchemaObject>>;
