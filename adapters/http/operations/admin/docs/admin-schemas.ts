import type { SchemaObject } from 'ajv/dist/2020.js';
import { compensationTypes, listingStates } from '../../../../../core/catalog/listing.ts';
import { identifierPattern, maxIdentifierLength } from '../../../../../core/identifier.ts';
import { maxPageSize } from '../../../../../core/paging/page.ts';
import { signingAlgorithm, signingKeyStates } from '../../../../../core/receipt/signing-key.ts';
import { waitlistRoles } from '../../../../../core/waitlist/sign-up.ts';
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
  nullableText,
  objectOf,
  orNull,
  pageOf,
  text,
} from '../../../../administration/declaration/schema-parts.ts';
import { declaredGroups } from '../../../../administration/groups.ts';
import { eventSchemas } from '../../docs/event-schemas.ts';
import { schemas } from '../../docs/schemas.ts';
import {
  erasureBody,
  listingBody,
  offlineReceiptBody,
  priceBody,
  productBody,
  signingKeyRotationBody,
} from '../bodies/admin-bodies.ts';
import { adminEntitlementSchemas } from './admin-entitlement-schemas.ts';
import { schemasOf } from './command-schemas.ts';
import { bodySchema } from './rule-schemas.ts';

const { CorrelationId, ErrorBody, IssuedReceipt, IssuedReceiptAnswer, OpenApiDocument } = schemas;

/** Those that do not follow from a declared command. */
const ownSchemas = {
  ...adminEntitlementSchemas,
  ...eventSchemas,
  CorrelationId,
  ErrorBody,
  OpenApiDocument,
  Identifier: { type: 'string', pattern: identifierPattern, maxLength: maxIdentifierLength },
  Duration: {
    type: 'string',
    pattern: '^(?:[0-9]{1,9}s|[0-9]{1,7}m|[0-9]{1,5}h|[0-9]{1,4}d)$',
    description: 'A whole number of seconds, minutes, hours or days, such as `24h`.',
  },
  ListMeta: objectOf({
    limit: { type: 'integer', minimum: 1, maximum: maxPageSize },
    hasMore: flag,
    next: described('The `after` of the next page; null after the last one.', nullableText),
  }),
  Product: objectOf({ id: text, name: text, createdAt: instant }),
  ProductRequest: bodySchema(productBody),
  ProductAnswer: answerOf('Product'),
  ProductPage: pageOf('Product'),
  Price: objectOf({ price: text, productId: text, tierId: text, tierName: text }),
  PriceRequest: bodySchema(priceBody),
  PriceAnswer: answerOf('Price'),
  PricePage: pageOf('Price'),
  Scope: schemas.Scope,
  IssuedReceipt,
  IssuedReceiptAnswer,
  OfflineReceiptRequest: bodySchema(offlineReceiptBody),
  SigningKeyState: described(
    '`next` is published before it signs, `active` signs, `retired` is published until `goodUntil`, `revoked` is not published.',
    enumOf(signingKeyStates),
  ),
  SigningKey: objectOf({
    kid: text,
    state: named('SigningKeyState'),
    alg: constant(signingAlgorithm),
    createdAt: described('Since when it is published.', instant),
    activeAt: described('Null if it has not signed anything.', nullableInstant),
    retiredAt: nullableInstant,
    revokedAt: nullableInstant,
    goodUntil: described('When the last of its receipts is over; null before it is retired.', nullableInstant),
  }),
  SigningKeyAnswer: answerOf('SigningKey'),
  SigningKeysAnswer: objectOf({
    success: constant(true),
    data: listOf(named('SigningKey')),
    correlationId: named('CorrelationId'),
  }),
  SigningKeyRotationRequest: bodySchema(signingKeyRotationBody),
  CompensationType: described('What affiliates are paid for.', enumOf(compensationTypes)),
  ListingState: described('Only `live` listings are in the public catalog.', enumOf(listingStates)),
  Listing: objectOf({
    id: text,
    slug: text,
    name: text,
    blurb: text,
    category: text,
    commissionPercent: { type: 'number' },
    compensationType: named('CompensationType'),
    compensationLabel: text,
    featured: flag,
    storefrontCount: count,
    state: named('ListingState'),
    publishedAt: instant,
    upfrontCents: count,
    url: described("The product's own page. The public catalog does not have it.", nullableText),
    imageUrl: described('An image of the product. The public catalog does not have it.', nullableText),
  }),
  ListingRequest: bodySchema(listingBody),
  ListingAnswer: answerOf('Listing'),
  ListingPage: pageOf('Listing'),
  Deletion: objectOf({ deleted: enumOf([0, 1]) }),
  DeletionAnswer: answerOf('Deletion'),
  WaitlistEntry: objectOf({
    email: text,
    name: nullableText,
    handle: nullableText,
    role: orNull(described('Null if the person gave none.', enumOf(waitlistRoles))),
    at: instant,
  }),
  WaitlistPage: pageOf('WaitlistEntry'),
  ErasureRequest: bodySchema(erasureBody),
  Erasure: objectOf({ erased: enumOf([0, 1]) }),
  ErasureAnswer: answerOf('Erasure'),
} as const satisfies Readonly<Record<string, SchemaObject>>;

/** The order that schemas have in the document. Those that it does not name follow. */
const order: readonly string[] = `
  BillingInterval Entitlement EntitlementAction EntitlementKind EntitlementStatus EntitlementAnswer
  EntitlementPage License FullEntitlement FullEntitlementAnswer Standing GrantRequest Grant GrantAnswer
  RenewalRequest TierRequest LicenseRotationRequest LicenseKey LicenseKeyAnswer LicenseSearch HistoryOperation
  HistoryEntry HistoryAnswer EventFeed EventFeedMeta Event EventType EventData PreviousValues EventLicense Webhook
  WebhookAnswer WebhookPage WebhookSecret WebhookSecretAnswer WebhookRequest SecretRotationRequest DeliveryAttempt
  DeliveryStream DeliveryStreamAnswer ShownWebhook ShownWebhookAnswer WebhookTest WebhookTestAnswer Retry
  RetryAnswer ReplayRequest SkipRequest CorrelationId ErrorBody OpenApiDocument Identifier Duration ListMeta
  Product ProductRequest ProductAnswer ProductPage Price PriceRequest PriceAnswer PricePage Scope AppKey
  IssuedAppKey AppKeyRequest AppKeyAnswer IssuedAppKeyAnswer AppKeyPage OperatorScope OperatorKey
  IssuedOperatorKey OperatorKeyRequest OperatorKeyAnswer IssuedOperatorKeyAnswer OperatorKeyPage
  KeyRotationRequest IssuedReceipt IssuedReceiptAnswer OfflineReceiptRequest SigningKeyState SigningKey
  SigningKeyAnswer SigningKeysAnswer SigningKeyRotationRequest CompensationType ListingState Listing
  ListingRequest ListingAnswer ListingPage Deletion DeletionAnswer WaitlistEntry WaitlistPage ErasureRequest
  Erasure ErasureAnswer
`
  .trim()
  .split(/\s+/);

const all: Readonly<Record<string, SchemaObject>> = Object.assign({}, ...declaredGroups.map(schemasOf), ownSchemas);

/** The named schemas of the administration: bodies, and the values in them. */
export const adminSchemas = Object.fromEntries(Object.entries(all).toSorted(([a], [b]) => placeOf(a) - placeOf(b)));

function placeOf(name: string): number {
  const place = order.indexOf(name);
  return place === -1 ? order.length : place;
}
