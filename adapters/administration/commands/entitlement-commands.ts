import { defaultGrace, type EntitlementCommand } from '../../../core/entitlement/entitlement-command.ts';
import { billingIntervals, maxIntervalCount } from '../../../core/entitlement/entitlement.ts';
import { entitlementStatuses } from '../../../core/entitlement/status.ts';
import {
  grantRules,
  intervalCountRule,
  requiredOfGrant,
  type WrittenGrant,
} from '../../../core/entitlement/written-grant.ts';
import { identifierRule } from '../../../core/identifier.ts';
import { durationRule } from '../../../core/parsing/duration.ts';
import { instantRule } from '../../../core/parsing/instant.ts';
import { displayNameRule, oneOf } from '../../../core/parsing/value-rule.ts';
import { command, list, type Command, type CommandGroup, type DeclaredOperation } from '../declaration/command.ts';
import { defaulting, givenIn, inRequests, optional, required, subject } from '../declaration/member.ts';
import { described, enumOf, named, writtenInstant } from '../declaration/schema-parts.ts';
import { only } from '../declaration/view.ts';
import { licenseKeyText } from './license-commands.ts';
import { fullOutcome, snapshotOutcome, snapshotView } from './snapshot-view.ts';

const id = subject('<id>', 'the id of the entitlement');

const chosenId = { ...id, option: null, docs: 'The id of the entitlement, which the caller chooses.' };

/** What sets the operation of a change apart from others. */
type ChangeDocs = Pick<DeclaredOperation, 'id' | 'summary' | 'description' | 'refusals'>;

/** The operation of a change of an entitlement, with the refusals of every change. */
function changeOf(kind: EntitlementCommand['kind'], { description, refusals, ...docs }: ChangeDocs): DeclaredOperation {
  return {
    ...docs,
    route: `POST /admin/entitlements/:id/${kind}`,
    access: 'admin:entitlements',
    description: `${description} Repeating it changes nothing.`,
    answer: { schema: 'EntitlementAnswer', description: 'The entitlement.' },
    refusals: ['entitlement_not_found', 'changed_meanwhile', ...refusals],
  };
}

type SimpleKind = Exclude<EntitlementCommand, { readonly kind: 'renew' | 'change-tier' }>['kind'];

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

const put = command({
  verb: null,
  does: '',
  operation: {
    id: 'putEntitlement',
    route: 'PUT /admin/entitlements/:id',
    access: 'admin:entitlements',
    summary: 'Grant an entitlement.',
    description:
      'The caller chooses the id. An entitlement that has the id and equals the request in every member that the request gives is returned as it is, with `licenseKey` null, so that a request is safe to repeat. Only the first answer shows a license key. A purchase (`one_time`) has no `billingIntervalCount` and no `grace`; it ends at `accessEndsAt`, if at all.',
    request: {
      schema: 'GrantRequest',
      example: {
        productId: 'prod_1',
        tierId: 'pro',
        tierName: 'Pro',
        billingInterval: 'month',
        currentPeriodEnd: '2026-08-18T12:00:00Z',
        reference: 'sub_1',
      },
    },
    answer: {
      schema: 'GrantAnswer',
      description: 'The entitlement, which was granted before.',
      created: 'The new entitlement and its license key.',
    },
    refusals: [
      'not_for_a_purchase',
      'not_for_a_subscription',
      'invalid_license_key',
      'product_not_found',
      'entitlement_exists',
      'reference_exists',
      'license_key_exists',
      'period_end_too_early',
    ],
  },
  members: {
    id: chosenId,
    ...inRequests(grantRules, requiredOfGrant, {
      billingIntervalCount: 'How many intervals a period has, 1 by default. Not for a purchase.',
      currentPeriodStart: 'Now by default.',
      currentPeriodEnd: '`billingIntervalCount` intervals after the start by default. For a purchase, `accessEndsAt`.',
      accessEndsAt: 'When the access of a purchase ends; never by default. Not for a subscription.',
      updatesUntil: 'Until when the buyer gets updates. It is only shown.',
      status: '`active` by default.',
    }),
    licenseKey: optional(null, '', licenseKeyText),
  },
  run: async ({ putEntitlement }, values, call) => {
    const { id: granted, licenseKey: given, ...terms } = values;
    const request = { id: granted, written: givenIn(terms) as WrittenGrant, licenseKey: given };
    const { entitlement, licenseKey, outcome } = await putEntitlement(request, call);
    return {
      data: { entitlement: snapshotView(entitlement), licenseKey },
      isNew: outcome === 'granted',
      entitlementId: granted,
    };
  },
});

/** An interval has its count in the table, such as "3 months". */
const listed = list({
  does: 'list entitlements',
  operation: {
    id: 'listEntitlements',
    route: 'GET /admin/entitlements',
    access: 'admin:read',
    summary: 'List entitlements.',
    description:
      'By id, as of the instant of the request. A page looks at no more than 2,000 entitlements, so that one with `status` or `endsBefore` may have fewer than `limit`, even none, and still a `next`.',
    answer: { schema: 'EntitlementPage', description: 'A page of entitlements.' },
    refusals: [],
  },
  members: {
    product: {
      ...optional('--product <id>', 'only those of this product', identifierRule),
      docs: 'Only entitlements of this product.',
    },
    status: {
      ...optional(
        '--status <status>',
        `only those with this status: ${entitlementStatuses.join(', ')}`,
        oneOf(entitlementStatuses),
      ),
      docs: 'Only entitlements with this status now.',
      schema: named('EntitlementStatus'),
    },
    endsBefore: {
      ...optional(
        '--ends-before <instant>',
        'only those whose period, or access as a purchase, ends before',
        instantRule,
      ),
      docs: 'Only subscriptions whose current period, and purchases whose access, ends before this instant.',
      schema: described('An instant from 1970 to 8999.', writtenInstant),
    },
    reference: {
      ...optional('--reference <reference>', 'only the one of the product with this reference', displayNameRule),
      docs: 'Only the entitlement with this reference; needs `product`.',
      needs: ['product', 'because it is unique within a product only'],
    },
  },
  order: ['product', 'reference', 'status', 'endsBefore'],
  page: ({ listEntitlements }, { product: productId, ...filter }, page, call) =>
    listEntitlements({ productId, ...filter }, page, call),
  every: ({ everyEntitlement }, { product: productId, ...filter }, newCall) =>
    everyEntitlement({ productId, ...filter }, newCall),
  view: snapshotView,
  columns: ['id', 'productId', 'status', 'tierId', 'billingInterval', 'currentPeriodEnd', 'cancelAt', 'version'],
  row: (snapshot) => {
    const { billingInterval, billingIntervalCount: count } = snapshot;
    return count === 1 ? snapshot : { ...snapshot, billingInterval: `${count} ${billingInterval}s` };
  },
});

const historyColumns = ['at', 'operation', 'by', 'version', 'correlationId'] as const;

/** The commands about entitlements but `grant` and `import`. */
export const entitlementCommands: CommandGroup = {
  name: 'entitlement',
  tag: { name: 'Entitlements', description: 'What buyers bought, of every product.' },
  schemas: {},
  commands: [
    listed,
    command({
      verb: 'show',
      does: 'show an entitlement',
      operation: {
        id: 'showEntitlement',
        route: 'GET /admin/entitlements/:id',
        access: 'admin:read',
        summary: 'Read an entitlement.',
        description: 'With its reference, the end of its grace, and what is kept of its license.',
        answer: { schema: 'FullEntitlementAnswer', description: 'The entitlement.' },
        refusals: ['entitlement_not_found'],
      },
      members: { id },
      run: async ({ showEntitlement }, values, call) => fullOutcome(await showEntitlement(values.id, call)),
    }),
    put,
    command({
      verb: 'history',
      does: 'show who has changed an entitlement: the last 100 changes, the newest first',
      operation: {
        id: 'showHistory',
        route: 'GET /admin/entitlements/:id/history',
        access: 'admin:read',
        summary: 'Read who changed an entitlement.',
        description: 'The last 100 changes, the newest first.',
        answer: { schema: 'HistoryAnswer', description: 'The changes.' },
        refusals: ['entitlement_not_found'],
      },
      members: { id },
      run: async ({ showHistory }, values, call) => {
        const entries = await showHistory(values.id, call);
        return {
          data: entries.map((entry) => only(entry, ['at', 'by', 'operation', 'correlationId', 'version'])),
          table: { columns: historyColumns },
          entitlementId: values.id,
        };
      },
    }),
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
  ],
};
