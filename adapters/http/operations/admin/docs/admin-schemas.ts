import type { SchemaObject } from 'ajv/dist/2020.js';
import { identifierPattern, maxIdentifierLength } from '../../../../../core/identifier.ts';
import { maxPageSize } from '../../../../../core/paging/page.ts';
import {
  described,
  enumOf,
  flag,
  nullableText,
  objectOf,
} from '../../../../administration/declaration/schema-parts.ts';
import { declaredGroups } from '../../../../administration/groups.ts';
import { eventSchemas } from '../../docs/event-schemas.ts';
import { featureSchemas } from '../../docs/feature-schemas.ts';
import { schemas } from '../../docs/schemas.ts';
import { offlineReceiptBody } from '../bodies/receipt-body.ts';
import { adminEntitlementSchemas } from './admin-entitlement-schemas.ts';
import { schemasOf } from './command-schemas.ts';
import { bodySchema } from './rule-schemas.ts';

const { CorrelationId, ErrorBody, IssuedReceipt, IssuedReceiptAnswer, OpenApiDocument } = schemas;

/** Those that do not follow from a declared command. */
const ownSchemas = {
  ...adminEntitlementSchemas,
  ...eventSchemas,
  ...featureSchemas,
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
  Scope: schemas.Scope,
  IssuedReceipt,
  IssuedReceiptAnswer,
  OfflineReceiptRequest: bodySchema(offlineReceiptBody),
  Deletion: objectOf({ deleted: enumOf([0, 1]) }),
} as const satisfies Readonly<Record<string, SchemaObject>>;

/** The order that schemas have in the document. Those that it does not name follow. */
const order: readonly string[] = `
  BillingInterval Entitlement EntitlementAction EntitlementKind EntitlementStatus EntitlementAnswer
  EntitlementPage License FullEntitlement FullEntitlementAnswer Standing GrantRequest Grant GrantAnswer
  RenewalRequest TierRequest LicenseRotationRequest LicenseMoveRequest LicenseKey LicenseKeyAnswer LicenseSearch HistoryOperation
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
