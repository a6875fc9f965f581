import type { SchemaObject } from 'ajv/dist/2020.js';
import { updatesRule } from '../../../../../core/billing/price-map.port.ts';
import { linkTimeRule } from '../../../../../core/buyer/buyer-link.ts';
import { listingNameRule, listingRules } from '../../../../../core/catalog/administration/written-listing.ts';
import { maxHoldDays } from '../../../../../core/catalog/affiliate-members.ts';
import { deviceIdRule, deviceNameRule, deviceRule } from '../../../../../core/device/device.ts';
import { maxDevices, maxIntervalCount } from '../../../../../core/entitlement/entitlement.ts';
import { deviceLimitRule, grantRules, intervalCountRule } from '../../../../../core/entitlement/written-grant.ts';
import { cursorPattern } from '../../../../../core/feed/feed-cursor.ts';
import { identifierRule } from '../../../../../core/identifier.ts';
import { maxProducts, productsRule } from '../../../../../core/key/operator/operator-key.ts';
import { licenseKeyMaxLength, licenseKeyMinLength } from '../../../../../core/license/license-key.ts';
import { durationRule } from '../../../../../core/parsing/duration.ts';
import { instantRule } from '../../../../../core/parsing/instant.ts';
import { bidiControls } from '../../../../../core/parsing/reordering.ts';
import { contactUrlPattern, contactUrlRule, urlPattern, urlRule } from '../../../../../core/parsing/url-rules.ts';
import { booleanRule, countRule, displayNameRule, type ValueRule } from '../../../../../core/parsing/value-rule.ts';
import { offlineAgeRule } from '../../../../../core/receipt/issue-offline-receipt.ts';
import { featureChangeRule, featuresRule } from '../../../../../core/tier/features.ts';
import { trialLengthRule } from '../../../../../core/trial/trial.ts';
import { invitationTimeRule, invitedScopes } from '../../../../../core/waitlist/invitation.ts';
import { emailAddressRule } from '../../../../../core/waitlist/sign-up.ts';
import { feedCursorRule } from '../../../../../core/webhook/redeliver-events.ts';
import { eventTypesRule, webhookUrlPattern, webhookUrlRule } from '../../../../../core/webhook/webhook-endpoint.ts';
import { licenseKeyText } from '../../../../administration/commands/entitlement/license-commands.ts';
import {
  appScopesRule,
  invitedScopesRule,
  operatorScopesRule,
} from '../../../../administration/commands/key/key-members.ts';
import type { Member } from '../../../../administration/declaration/member.ts';
import {
  charactersWithout,
  count,
  described,
  enumOf,
  flag,
  lineWithout,
  listOf,
  named,
  orNull,
  writtenInstant,
} from '../../../../administration/declaration/schema-parts.ts';
import { deviceIdText, deviceNameText, deviceText } from '../../docs/device-schemas.ts';
import { featuresOf, featureValues } from '../../docs/feature-schemas.ts';
import type { BodyMembers } from '../bodies/request-body.ts';

/** The schema of each rule that a member of a request can have. */
const schemas: ReadonlyMap<ValueRule<unknown>, SchemaObject> = new Map<ValueRule<unknown>, SchemaObject>([
  [identifierRule, named('Identifier')],
  [displayNameRule, lineWithout('', 200)],
  [listingNameRule, lineWithout(bidiControls, 200)],
  [instantRule, writtenInstant],
  [durationRule, named('Duration')],
  [offlineAgeRule, named('Duration')],
  [linkTimeRule, named('Duration')],
  [trialLengthRule, named('Duration')],
  [updatesRule, named('Duration')],
  [countRule, { ...count, maximum: Number.MAX_SAFE_INTEGER }],
  [booleanRule, flag],
  [appScopesRule, someOf('Scope')],
  [operatorScopesRule, someOf('OperatorScope')],
  [invitedScopesRule, { ...someOf('OperatorScope'), items: enumOf(invitedScopes) }],
  [invitationTimeRule, named('Duration')],
  [productsRule, { ...someOf('Identifier'), maxItems: maxProducts }],
  [grantRules.billingInterval, named('BillingInterval')],
  [intervalCountRule, { type: 'integer', minimum: 1, maximum: maxIntervalCount }],
  [deviceLimitRule, { type: 'integer', minimum: 1, maximum: maxDevices }],
  [deviceIdRule, deviceIdText],
  [deviceNameRule, deviceNameText],
  [deviceRule, deviceText],
  [grantRules.status, named('Standing')],
  [licenseKeyText, { type: 'string', minLength: licenseKeyMinLength, maxLength: licenseKeyMaxLength }],
  [listingRules.blurb, linesOf(2000)],
  [listingRules.description, linesOf(4000)],
  [listingRules.commissionPercent, { type: 'number', minimum: 0, maximum: 100 }],
  [listingRules.compensationType, named('CompensationType')],
  [listingRules.state, named('ListingState')],
  [urlRule, { type: 'string', maxLength: 2048, pattern: urlPattern }],
  [contactUrlRule, { type: 'string', maxLength: 2048, pattern: contactUrlPattern }],
  [listingRules.commissionFor, named('CommissionFor')],
  [listingRules.affiliates, named('AffiliatePolicy')],
  [listingRules.holdDays, { type: 'integer', minimum: 0, maximum: maxHoldDays }],
  [listingRules.cookieDays, { type: 'integer', minimum: 0, maximum: 3650 }],
  [
    listingRules.pictureAlt,
    { type: 'string', maxLength: 200, pattern: `^${charactersWithout(bidiControls)}*$`, format: 'well-formed' },
  ],
  [emailAddressRule, { type: 'string', pattern: '^[^\\s\\ufeff@]+@[^\\s\\ufeff@]+$' }],
  [webhookUrlRule, { type: 'string', maxLength: 2000, pattern: webhookUrlPattern }],
  [eventTypesRule, someOf('WebhookType')],
  [featuresRule, named('Features')],
  [featureChangeRule, featuresOf({ anyOf: [...featureValues, { type: 'null' }] })],
  [feedCursorRule, { type: 'string', pattern: cursorPattern }],
]);

/** The schema of the values that keep a rule. Throws for a rule without one. */
function schemaOf(rule: ValueRule<unknown>): SchemaObject {
  const schema = schemas.get(rule);
  if (schema === undefined) throw new Error(`The OpenAPI document has no schema for "${rule.rule}".`);
  return schema;
}

/** The schema of the values that a member of a command has. */
export function schemaOfMember({ rule, schema }: Pick<Member<unknown>, 'rule' | 'schema'>): SchemaObject {
  return schema ?? schemaOf(rule);
}

/** The schema of a request body: it has no other members, and those that are not required may be null. */
export function bodySchema({ rules, required, descriptions, schemas: own = {} }: BodyMembers): SchemaObject {
  const member = (name: string, rule: ValueRule<unknown>): SchemaObject => {
    const description = descriptions[name];
    const schema = own[name] ?? schemaOf(rule);
    return description === undefined ? schema : described(description, schema);
  };
  const members = Object.entries(rules).map(([name, rule]) => [name, member(name, rule)] as const);
  const isRequired = ([name]: readonly [string, SchemaObject]): boolean => required.includes(name);
  const optional = members.filter((each) => !isRequired(each));
  return {
    type: 'object',
    required,
    properties: {
      ...Object.fromEntries(members.filter(isRequired)),
      ...Object.fromEntries(optional.map(([name, schema]) => [name, orNull(schema)])),
    },
    additionalProperties: false,
  };
}

function someOf(name: string): SchemaObject {
  return { ...listOf(named(name)), minItems: 1 };
}

/** Several lines. */
function linesOf(maxLength: number): SchemaObject {
  return { type: 'string', maxLength, pattern: `^[^\\u0000${bidiControls}]*$`, format: 'well-formed' };
}
