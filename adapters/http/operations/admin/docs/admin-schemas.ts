import type { SchemaObject } from 'ajv/dist/2020.js';
import { compensationTypes, listingStates } from '../../../../../core/catalog/listing.ts';
import { identifierPattern, maxIdentifierLength } from '../../../../../core/identifier.ts';
import { operatorScopes } from '../../../../../core/key/operator/operator-key.ts';
import { maxPageSize } from '../../../../../core/paging/page.ts';
import { signingAlgorithm, signingKeyStates } from '../../../../../core/receipt/signing-key.ts';
import { waitlistRoles } from '../../../../../core/waitlist/sign-up.ts';
import { eventSchemas } from '../../docs/event-schemas.ts';
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
} from '../../docs/schema-parts.ts';
import { schemas } from '../../docs/schemas.ts';
import {
  appKeyBody,
  erasureBody,
  keyRotationBody,
  listingBody,
  offlineReceiptBody,
  operatorKeyBody,
  priceBody,
  productBody,
  signingKeyRotationBody,
} from '../bodies/admin-bodies.ts';
import { adminEntitlementSchemas } from './admin-entitlement-schemas.ts';
import { adminWebhookSchemas } from './admin-webhook-schemas.ts';
import { bodySchema } from './rule-schemas.ts';

const { CorrelationId, ErrorBody, IssuedReceipt, IssuedReceiptAnswer, OpenApiDocument } = schemas;

const storedKey = {
  lastFour: described('The last four characters of the key, for display.', text),
  createdAt: instant,
  expiresAt: described('Null if the key never expires.', nullableInstant),
  revokedAt: nullableInstant,
  lastUsedAt: described('Accurate to about a minute.', nullableInstant),
};
const appKey = { id: text, productId: text, scopes: listOf(named('Scope')), ...storedKey };
const operatorKey = { id: text, name: text, scopes: listOf(named('OperatorScope')), ...storedKey };
const issued = { key: described('The key, shown only this once; null in a repeated request.', nullableText) };

/** The named schemas of the administration: bodies, and the values in them. */
export const adminSchemas = {
  ...adminEntitlementSchemas,
  ...eventSchemas,
  ...adminWebhookSchemas,
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
  AppKey: objectOf(appKey),
  IssuedAppKey: objectOf({ ...appKey, ...issued }),
  AppKeyRequest: bodySchema(appKeyBody),
  AppKeyAnswer: answerOf('AppKey'),
  IssuedAppKeyAnswer: answerOf('IssuedAppKey'),
  AppKeyPage: pageOf('AppKey'),
  OperatorScope: described('What an operator key may be used for.', enumOf(operatorScopes)),
  OperatorKey: objectOf(operatorKey),
  IssuedOperatorKey: objectOf({ ...operatorKey, ...issued }),
  OperatorKeyRequest: bodySchema(operatorKeyBody),
  OperatorKeyAnswer: answerOf('OperatorKey'),
  IssuedOperatorKeyAnswer: answerOf('IssuedOperatorKey'),
  OperatorKeyPage: pageOf('OperatorKey'),
  KeyRotationRequest: bodySchema(keyRotationBody),
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

export type AdminSchemaName = keyof typeof adminSchemas;
