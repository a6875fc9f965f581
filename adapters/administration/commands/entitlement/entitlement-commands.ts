import { linkTimeRule } from '../../../../core/buyer/buyer-link.ts';
import {
  entitlementOrders,
  lastFourRule,
  listedStatuses,
} from '../../../../core/entitlement/administration/list-entitlements.ts';
import { entitlementStatuses } from '../../../../core/entitlement/status.ts';
import { grantRules, requiredOfGrant, type WrittenGrant } from '../../../../core/entitlement/written-grant.ts';
import { identifierRule } from '../../../../core/identifier.ts';
import { instantRule } from '../../../../core/parsing/instant.ts';
import { displayNameRule, oneOf } from '../../../../core/parsing/value-rule.ts';
import { command, list, type CommandGroup } from '../../declaration/command.ts';
import { givenIn, inRequests, optional, subject } from '../../declaration/member.ts';
import { described, enumOf, instant, objectOf, text, writtenInstant } from '../../declaration/schema-parts.ts';
import { only } from '../../declaration/view.ts';
import { saleCommand, saleSchemas } from '../stripe-commands.ts';
import { warningsView } from '../tier-warning.ts';
import { allowanceCommands } from './allowance-commands.ts';
import { changeCommands } from './entitlement-changes.ts';
import { licenseKeyText } from './license-commands.ts';
import { fullOutcome, snapshotView } from './snapshot-view.ts';

const id = subject('<id>', 'the id of the entitlement');

const chosenId = { ...id, option: null, docs: 'The id of the entitlement, which the caller chooses.' };

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
      'limited_key',
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
    const answer = await putEntitlement(request, call);
    const { entitlement, licenseKey, outcome } = answer;
    return {
      data: { entitlement: snapshotView(entitlement), licenseKey, ...warningsView(answer) },
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
      'By id or the newest first, as of the instant of the request. A page looks at no more than 2,000 entitlements, so that one with `status`, `tier` or `endsBefore` may have fewer than `limit`, even none, and still a `next`. A `next` belongs to its order and its filter.',
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
        `only those with this status: ${entitlementStatuses.join(', ')}, or ended for the last three`,
        oneOf(listedStatuses),
      ),
      docs: 'Only entitlements with this status now. `ended` stands for canceled, expired and revoked.',
      schema: enumOf(listedStatuses),
    },
    order: {
      ...optional('--newest', 'the newest first, instead of by id', oneOf(entitlementOrders)),
      otherwise: 'id' as const,
      standsFor: 'newest' as const,
      docs: 'By id, or the newest first.',
      schema: { ...enumOf(entitlementOrders), default: 'id' },
    },
    tier: {
      ...optional('--tier <id>', 'only those of this tier', identifierRule),
      docs: 'Only entitlements of the tier with this id.',
    },
    lastFour: {
      ...optional('--last-four <characters>', 'only those whose license key ends so', lastFourRule),
      docs: 'Only entitlements whose license key ends with these four characters, as they are shown. Lower case also stands for upper.',
      schema: { type: 'string', minLength: 4, maxLength: 4 },
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
  order: ['product', 'reference', 'status', 'tier', 'lastFour', 'endsBefore', 'order'],
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

const historyColumns = ['at', 'operation', 'by', 'version', 'reason', 'correlationId'] as const;

const linkSchema = objectOf({ url: described('A secret, which is shown only this once.', text), expiresAt: instant });

const link = command({
  verb: 'link',
  does: 'make a link by which a buyer sees the license, cancels, resumes or replaces the key',
  operation: {
    id: 'createBuyerLink',
    route: 'POST /admin/entitlements/:id/links',
    access: 'admin:entitlements',
    summary: 'Make a link by which a buyer sees and changes the own entitlement.',
    description:
      'Send it to a buyer whom you know to be the buyer. It works for `expires` (`5m` to `24h`, `1h` by default), more than once. Each request makes one more, and more than 20 of an entitlement, beside those of lost keys, end the oldest.',
    request: { schema: 'BuyerLinkRequest', example: { expires: '24h' } },
    answer: { schema: 'BuyerLinkAnswer', description: 'The link.' },
    refusals: ['entitlement_not_found'],
  },
  members: { id, expires: optional('--expires <duration>', 'how long it works, 5m to 24h', linkTimeRule) },
  log: { createSupportLink: (_link, { entitlementId }) => ({ entitlementId }) },
  run: async ({ createSupportLink }, values, call) => ({
    data: await createSupportLink({ entitlementId: values.id, expires: values.expires }, call),
    entitlementId: values.id,
  }),
});

/** The commands about entitlements but `grant` and `import`. */
export const entitlementCommands: CommandGroup = {
  name: 'entitlement',
  tag: { name: 'Entitlements', description: 'What buyers bought, of every product.' },
  schemas: { ...saleSchemas, BuyerLink: linkSchema },
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
    link,
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
          data: entries.map((entry) => only(entry, ['at', 'by', 'operation', 'reason', 'correlationId', 'version'])),
          table: { columns: historyColumns },
          entitlementId: values.id,
        };
      },
    }),
    saleCommand,
    ...changeCommands,
    ...allowanceCommands,
  ],
};
