import { defaultGrace, type EntitlementCommand } from '../../../../core/entitlement/entitlement-command.ts';
import { billingIntervals, maxIntervalCount } from '../../../../core/entitlement/entitlement.ts';
import { intervalCountRule } from '../../../../core/entitlement/written-grant.ts';
import { identifierRule } from '../../../../core/identifier.ts';
import { durationRule } from '../../../../core/parsing/duration.ts';
import { instantRule } from '../../../../core/parsing/instant.ts';
import { booleanRule, displayNameRule, oneOf } from '../../../../core/parsing/value-rule.ts';
import { command, type Command, type DeclaredOperation } from '../../declaration/command.ts';
import { defaulting, optional, required, subject } from '../../declaration/member.ts';
import { enumOf } from '../../declaration/schema-parts.ts';
import { snapshotOutcome } from './snapshot-view.ts';

const id = subject('<id>', 'the id of the entitlement');

/** The documents of a change that differ from those of other changes. */
type ChangeDocs = Pick<DeclaredOperation, 'id' | 'summary' | 'description' | 'refusals'>;

/** The operation of a change of an entitlement, with the refusals of every change. */
export function changeOf(
  kind: EntitlementCommand['kind'],
  { description, refusals, ...docs }: ChangeDocs,
): DeclaredOperation {
  return {
    ...docs,
    route: `POST /admin/entitlements/:id/${kind}`,
    access: 'admin:entitlements',
    description: `${description} Repeating it changes nothing.`,
    answer: { schema: 'EntitlementAnswer', description: 'The entitlement.' },
    refusals: ['entitlement_not_found', 'changed_meanwhile', ...refusals],
  };
}

type SimpleKind = Exclude<EntitlementCommand, { readonly kind: 'allow' | 'renew' | 'change-tier' }>['kind'];

/** A change that nothing describes further. */
function simple(kind: SimpleKind, does: string, docs: ChangeDocs): Command {
  return command({
    verb: kind,
    does,
    operation: changeOf(kind, docs),
    members: { id },
    run: async ({ runEntitlementCommand }, values, call) =>
      snapshotOutcome(await runEntitlementCommand(values.id, { kind }, call)),
  });
}

const renew = command({
  verb: 'renew',
  does: 'record a payment: the next period starts when the current one ends',
  operation: {
    ...changeOf('renew', {
      id: 'renewEntitlement',
      summary: 'Renew a subscription, or a purchase that ends.',
      description:
        'Ends the current period at a later instant, after which `grace` (24h by default) still gives access. The access of a purchase ends at the new instant, without a grace. The present end again changes nothing.',
      refusals: [
        'not_a_subscription',
        'entitlement_revoked',
        'entitlement_canceled',
        'cancellation_scheduled',
        'managed_by_stripe',
        'period_end_too_early',
      ],
    }),
    request: { schema: 'RenewalRequest', example: { currentPeriodEnd: '2026-09-18T12:00:00Z' } },
  },
  members: {
    id,
    currentPeriodEnd: {
      ...optional(
        '--period-end <instant>',
        'when the next period, or the access of a purchase, ends (default: its intervals later)',
        instantRule,
      ),
      isRequired: 'in requests',
    },
    keepStart: {
      ...optional('--keep-start', 'make the current period longer, as an extension does', booleanRule),
      otherwise: false,
      standsFor: true,
      docs: 'Whether the current period keeps its start and becomes longer, as an extension does. Without it, the next period starts when the current one ends.',
    },
    grace: defaulting('--grace <duration>', 'how long access lasts beyond the period', durationRule, [
      defaultGrace,
      '24h',
    ]),
  },
  run: async ({ runEntitlementCommand }, values, call) => {
    const { id: renewed, ...renewal } = values;
    return snapshotOutcome(await runEntitlementCommand(renewed, { kind: 'renew', ...renewal }, call));
  },
});

/** Members that are left out keep their values. */
const changeTier = command({
  verb: 'change-tier',
  does: 'change the tier, its end and its updates and, for a subscription, the interval',
  operation: {
    ...changeOf('change-tier', {
      id: 'changeTier',
      summary: 'Change the tier of an entitlement.',
      description:
        'Keeps standing, hold, license and a scheduled cancellation, whose instant moves with a new end of the period. Members that are left out stay as they are, except that a `billingInterval` without a `billingIntervalCount` counts once. A purchase takes no interval and no grace.',
      refusals: ['entitlement_ended', 'not_a_subscription', 'managed_by_stripe', 'period_end_too_early'],
    }),
    answer: { schema: 'TierChangeAnswer', description: 'The entitlement.' },
    request: { schema: 'TierRequest', example: { tierId: 'team', tierName: 'Team' } },
  },
  members: {
    id,
    tierId: required('--tier <id>', 'the id of the new tier', identifierRule),
    tierName: required('--tier-name <name>', 'the name of the new tier, for people', displayNameRule),
    billingInterval: {
      ...optional(
        '--interval <interval>',
        `${billingIntervals.join(', ')} (default: the present one)`,
        oneOf(billingIntervals),
      ),
      schema: enumOf(billingIntervals),
    },
    billingIntervalCount: {
      ...optional(
        '--interval-count <count>',
        `how many intervals a period has, 1 to ${maxIntervalCount} (default: 1 with --interval, else as before)`,
        intervalCountRule,
      ),
      docs: 'How many intervals a period has: by default 1 with a `billingInterval`, else as before.',
    },
    currentPeriodEnd: {
      ...optional(
        '--period-end <instant>',
        'when the present period, or the access of a purchase, ends (default: as before)',
        instantRule,
      ),
      docs: 'For a purchase, when its access ends.',
    },
    grace: optional(
      '--grace <duration>',
      'how long access lasts beyond the period (default: as long as before)',
      durationRule,
    ),
    updatesUntil: {
      ...optional(
        '--updates-until <instant>',
        'until when the buyer gets updates; only shown (default: as before)',
        instantRule,
      ),
      docs: 'Until when the buyer gets updates. It is only shown.',
    },
  },
  run: async ({ runEntitlementCommand }, values, call) => {
    const { id: changed, ...change } = values;
    return snapshotOutcome(await runEntitlementCommand(changed, { kind: 'change-tier', ...change }, call));
  },
});

/** The changes of an entitlement that exists. */
export const changeCommands: readonly Command[] = [
  renew,
  changeTier,
  simple('past-due', 'record that a payment is overdue', {
    id: 'markPastDue',
    summary: 'Mark a subscription as past due.',
    description: 'For a payment that failed; access stays.',
    refusals: ['entitlement_ended', 'entitlement_not_current', 'managed_by_stripe'],
  }),
  simple('suspend', 'suspend access until the entitlement is reinstated', {
    id: 'suspendEntitlement',
    summary: 'Suspend an entitlement.',
    description: 'Takes access away until it is reinstated.',
    refusals: ['entitlement_ended'],
  }),
  simple('reinstate', 'end a suspension', {
    id: 'reinstateEntitlement',
    summary: 'Reinstate a suspended entitlement.',
    description:
      'Lifts the suspension by an operator; one by a payment stays. Anything but a suspended one stays as it is.',
    refusals: [],
  }),
  simple('revoke', 'revoke access for good', {
    id: 'revokeEntitlement',
    summary: 'Revoke an entitlement.',
    description: 'Ends it for good, also one that has ended.',
    refusals: [],
  }),
  simple('cancel', 'cancel a subscription at the end of its period', {
    id: 'scheduleCancellation',
    summary: 'Cancel a subscription at the end of its period.',
    description: "As a merchant's server does.",
    refusals: ['entitlement_ended', 'not_a_subscription'],
  }),
  simple('resume', 'undo a scheduled cancellation', {
    id: 'undoCancellation',
    summary: 'Undo the cancellation of a subscription.',
    description: 'Possible until the period ends.',
    refusals: ['entitlement_ended', 'not_a_subscription'],
  }),
];
