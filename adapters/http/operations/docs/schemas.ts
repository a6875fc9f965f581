import type { SchemaObject } from 'ajv/dist/2020.js';
import { scopes } from '../../../../core/access/scope.ts';
import { compensationTypes } from '../../../../core/catalog/listing.ts';
import { cancellationOperations } from '../../../../core/entitlement/cancellation.ts';
import { billingTerms, entitlementKinds } from '../../../../core/entitlement/entitlement.ts';
import { entitlementStatuses } from '../../../../core/entitlement/status.ts';

const text = { type: 'string' };
const flag = { type: 'boolean' };
const count = { type: 'integer', minimum: 0 };
const instant = { type: 'string', format: 'date-time' };
const nullableInstant = { type: ['string', 'null'], format: 'date-time' };
const correlationId = { type: 'string', pattern: '^[A-Za-z0-9._-]{8,128}$' };
const status = { enum: entitlementStatuses };
const billingInterval = { enum: billingTerms };

const listing = objectOf({
  id: text,
  slug: text,
  name: text,
  blurb: text,
  category: text,
  commissionPercent: { type: 'number' },
  compensationType: { enum: compensationTypes },
  compensationLabel: text,
  featured: flag,
  storefrontCount: count,
});

/** The entitlement inside a license check: a one-time purchase has no period end (specification 2.4). */
const checkedEntitlement = objectOf(
  {
    id: text,
    productId: text,
    status,
    tierId: text,
    tierName: text,
    billingInterval,
    currentPeriodEnd: instant,
  },
  ['currentPeriodEnd'],
);

const snapshot = objectOf({
  id: text,
  productId: text,
  kind: { enum: entitlementKinds },
  status,
  active: flag,
  tierId: text,
  tierName: text,
  billingInterval,
  currentPeriodStart: instant,
  currentPeriodEnd: nullableInstant,
  cancelAtPeriodEnd: flag,
  cancelAt: nullableInstant,
  canceledAt: nullableInstant,
  endedAt: nullableInstant,
  allowedActions: { type: 'array', items: { enum: cancellationOperations } },
  createdAt: instant,
  updatedAt: instant,
  version: { type: 'integer', minimum: 1 },
});

/** The bodies of answers, by their names in the OpenAPI document. */
export const schemas = {
  Done: objectOf({ success: { const: true }, correlationId }),
  Error: objectOf({ success: { const: false }, error: text, correlationId }),
  ListingDetail: objectOf({ success: { const: true }, data: listing, correlationId }),
  ListingPage: objectOf({
    success: { const: true },
    data: { type: 'array', maxItems: 48, items: listing },
    meta: objectOf({ total: count, offset: count, limit: { type: 'integer', minimum: 1, maximum: 48 }, hasMore: flag }),
    categories: { type: 'array', items: text },
    correlationId,
  }),
  EntitlementSnapshot: objectOf({ success: { const: true }, data: snapshot, correlationId }),
  LicenseVerification: objectOf({ valid: flag, entitlement: checkedEntitlement }, ['entitlement']),
  LicenseVerificationError: objectOf({ valid: { const: false }, error: text }),
  ProtectedResourceMetadata: objectOf({
    resource: { type: 'string', format: 'uri' },
    resource_name: text,
    scopes_supported: { type: 'array', items: { enum: scopes } },
    bearer_methods_supported: { type: 'array', items: { const: 'header' } },
  }),
  ServiceInfo: objectOf({
    name: { const: 'Latchkey' },
    release: text,
    edition: { type: 'string', format: 'date' },
    links: objectOf({ openapi: text, listings: text, metadata: text, live: text, ready: text }),
  }),
  OpenApiDocument: { type: 'object', required: ['openapi', 'info', 'paths'] },
} satisfies Readonly<Record<string, SchemaObject>>;

/** An object with exactly these members. */
function objectOf(properties: Readonly<Record<string, SchemaObject>>, optional: readonly string[] = []): SchemaObject {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: 'object', properties, required, additionalProperties: false };
}
