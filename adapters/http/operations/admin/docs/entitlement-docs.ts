import { instantRule } from '../../../../../core/parsing/instant.ts';
import { displayNameRule } from '../../../../../core/parsing/value-rule.ts';
import { described, named } from '../../../../administration/declaration/schema-parts.ts';
import { entitlements, listParameters, pathParameter, queryParameter, type AdminDocs } from './admin-docs.ts';
import { schemaOf } from './rule-schemas.ts';

const id = pathParameter('id', 'The id of the entitlement.');

export const listDocs: AdminDocs = {
  tag: entitlements,
  summary: 'List entitlements.',
  description:
    'By id, as of the instant of the request. A page looks at no more than 2,000 entitlements, so that one with `status` or `endsBefore` may have fewer than `limit`, even none, and still a `next`.',
  parameters: [
    queryParameter('product', 'Only entitlements of this product.', named('Identifier')),
    queryParameter('status', 'Only entitlements with this status now.', named('EntitlementStatus')),
    queryParameter(
      'endsBefore',
      'Only subscriptions whose current period ends before this instant.',
      described('An instant from 1970 to 8999.', schemaOf(instantRule)),
    ),
    queryParameter(
      'reference',
      'Only the entitlement with this reference; needs `product`.',
      schemaOf(displayNameRule),
    ),
    ...listParameters,
  ],
  success: { description: 'A page of entitlements.', schema: 'EntitlementPage' },
  refusals: ['invalid_parameter'],
};

export const showDocs: AdminDocs = {
  tag: entitlements,
  summary: 'Read an entitlement.',
  description: 'With its reference, the end of its grace, and what is kept of its license.',
  parameters: [id],
  success: { description: 'The entitlement.', schema: 'FullEntitlementAnswer' },
  refusals: ['entitlement_not_found'],
};

export const putDocs: AdminDocs = {
  tag: entitlements,
  summary: 'Grant an entitlement.',
  description:
    'The caller chooses the id. An entitlement that has the id and equals the request in every member that the request gives is returned as it is, with `licenseKey` null, so that a request is safe to repeat. Only the first answer shows a license key. A purchase (`one_time`) has no `billingIntervalCount`, no `currentPeriodEnd` and no `grace`.',
  parameters: [pathParameter('id', 'The id of the entitlement, which the caller chooses.')],
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
  success: {
    description: 'The entitlement, which was granted before.',
    created: 'The new entitlement and its license key.',
    schema: 'GrantAnswer',
  },
  refusals: [
    'invalid_parameter',
    'not_for_a_purchase',
    'invalid_license_key',
    'product_not_found',
    'entitlement_exists',
    'reference_exists',
    'license_key_exists',
    'period_end_too_early',
  ],
};

export const historyDocs: AdminDocs = {
  tag: entitlements,
  summary: 'Read who changed an entitlement.',
  description: 'The last 100 changes, the newest first.',
  parameters: [id],
  success: { description: 'The changes.', schema: 'HistoryAnswer' },
  refusals: ['entitlement_not_found'],
};
