import type { Document, ObjectId } from 'mongodb';
import { compareCodePoints } from '../../../core/code-points.ts';
import {
  fromArchivedStream,
  toArchivedStream,
  withoutInvitation,
  type ArchivedEntitlement,
  type Entry,
  type Section,
} from '../../../core/copy/archive.port.ts';
import type { AppKey } from '../../../core/key/app/app-key.ts';
import type { OperatorKey } from '../../../core/key/operator/operator-key.ts';
import { fromAffiliateDocument, toAffiliateDocument, type AffiliateDocument } from '../affiliate/mongo-affiliates.ts';
import { fromPromotionDocument, toPromotionDocument, type PromotionDocument } from '../affiliate/mongo-promotions.ts';
import { fromSaleDocument, toSaleDocument, type SaleDocument } from '../affiliate/sale-document.ts';
import { fromClosedDocument, toClosedDocument, type ClosedDocument } from '../affiliate/statement-document.ts';
import {
  fromLicenseSecretDocument,
  toLicenseSecretDocument,
  type LicenseSecretDocument,
} from '../billing/mongo-license-secrets.ts';
import { fromPriceDocument, toPriceDocument, type PriceDocument } from '../billing/mongo-price-map.ts';
import { fromListingDocument, toListingDocument, type ListingDocument } from '../catalog/mongo-listings.ts';
import { fromDeviceDocument, toDeviceDocument, type DeviceDocument } from '../device/device-document.ts';
import {
  fromEntitlementDocument,
  fromHistoryDocuments,
  toEntitlementDocument,
  toHistoryDocument,
  type StoredEntitlement,
} from '../entitlement/entitlement-document.ts';
import { fromRecordDocument, toRecordDocument } from '../entitlement/record-document.ts';
import { toBatchOfOne } from '../event/event-document.ts';
import { fromKeyDocument, toKeyDocument, type KeyDocument } from '../key/key-document.ts';
import { fromProductDocument, toProductDocument, type ProductDocument } from '../product/mongo-products.ts';
import { fromKeyRingDocument, toKeyRingDocument, type KeyRingDocument } from '../receipt/key-ring-document.ts';
import { fromTierDocument, toTierDocument, type TierDocument } from '../tier/tier-document.ts';
import { fromTrialDocument, toTrialDocument, type TrialDocument } from '../trial/mongo-trials.ts';
import { fromSignUpDocument, toSignUpDocument, type SignUpDocument } from '../waitlist/mongo-waitlist.ts';
import { fromStreamDocument, toStreamDocument, type StreamDocument } from '../webhook/mongo-delivery-streams.ts';
import { fromEndpointDocument, toEndpointDocument, type EndpointDocument } from '../webhook/mongo-webhook-endpoints.ts';
import { fromWaitingDocument, toWaitingDocument, type WaitingDocument } from '../webhook/waiting-document.ts';

/** The document that holds an entry. `newToken` makes the token of each record. */
export function toArchived(entry: Entry, newToken: () => ObjectId): Document & { readonly _id: string } {
  switch (entry.section) {
    case 'products':
      return toProductDocument(entry.value);
    case 'tiers':
      return toTierDocument(entry.value);
    case 'prices':
      return toPriceDocument(entry.value);
    case 'appKeys':
      return toKeyDocument(entry.value);
    case 'operatorKeys':
      return toKeyDocument(entry.value);
    case 'entitlements': {
      const records = entry.value.records.map((record) => toRecordDocument(record, newToken()));
      const history = entry.value.history.map(toHistoryDocument).toReversed();
      return { ...toEntitlementDocument(entry.value.entitlement), ...(records.length > 0 && { records }), history };
    }
    case 'devices':
      return toDeviceDocument(entry.value);
    case 'affiliates':
      return toAffiliateDocument(entry.value);
    case 'promotions':
      return toPromotionDocument(entry.value);
    case 'sales':
      return toSaleDocument(entry.value);
    case 'statements':
      return toClosedDocument(entry.value, true);
    case 'trials':
      return toTrialDocument(entry.value);
    case 'listings':
      return toListingDocument(entry.value);
    case 'signUps':
      return toSignUpDocument(entry.id, entry.value);
    case 'events':
      return toBatchOfOne(entry.value);
    case 'webhookEndpoints':
      return toEndpointDocument(entry.value);
    case 'deliveryStreams':
      return toStreamDocument(fromArchivedStream(entry.value));
    case 'waitingDeliveries':
      return toWaitingDocument(entry.value.stream, entry.value.subject, entry.value.delivery);
    case 'signingKeys':
      return toKeyRingDocument(entry.value, entry.id);
    case 'licenseSecrets':
      return toLicenseSecretDocument(entry.value, entry.id);
  }
}

/** The entry that a document of a section's collection holds. */
export function fromArchived(section: Exclude<Section, 'events'>, document: Document): Entry {
  const id: string = document['_id'];
  switch (section) {
    case 'products':
      return { section, id, value: fromProductDocument(document as ProductDocument) };
    case 'tiers':
      return { section, id, value: fromTierDocument(document as TierDocument) };
    case 'prices':
      return { section, id, value: fromPriceDocument(document as PriceDocument) };
    case 'appKeys':
      return { section, id, value: fromKeyDocument('app_keys', document as KeyDocument<AppKey>) };
    case 'operatorKeys':
      return { section, id, value: fromKeyDocument('operator_keys', document as KeyDocument<OperatorKey>) };
    case 'entitlements':
      return { section, id, value: archivedEntitlement(document as StoredEntitlement) };
    case 'devices':
      return { section, id, value: fromDeviceDocument(document as DeviceDocument) };
    case 'affiliates':
      return { section, id, value: fromAffiliateDocument(document as AffiliateDocument) };
    case 'promotions':
      return { section, id, value: fromPromotionDocument(document as PromotionDocument) };
    case 'sales':
      return { section, id, value: fromSaleDocument(document as SaleDocument) };
    case 'statements':
      return { section, id, value: fromClosedDocument(document as ClosedDocument) };
    case 'trials':
      return { section, id, value: fromTrialDocument(document as TrialDocument) };
    case 'listings':
      return { section, id, value: fromListingDocument(document as ListingDocument) };
    case 'signUps':
      return { section, id, value: withoutInvitation(fromSignUpDocument(document as SignUpDocument)) };
    case 'webhookEndpoints':
      return { section, id, value: fromEndpointDocument(document as EndpointDocument) };
    case 'deliveryStreams':
      return { section, id, value: toArchivedStream(fromStreamDocument(document as StreamDocument)) };
    case 'waitingDeliveries': {
      const row = document as WaitingDocument;
      const [subject, delivery] = fromWaitingDocument(row);
      return { section, id, value: { stream: row.stream, subject, delivery } };
    }
    case 'signingKeys':
      return { section, id, value: fromKeyRingDocument(document as KeyRingDocument) };
    case 'licenseSecrets':
      return { section, id, value: fromLicenseSecretDocument(document as LicenseSecretDocument) };
  }
}

function archivedEntitlement({ records = [], history, ...document }: StoredEntitlement): ArchivedEntitlement {
  const entitlement = fromEntitlementDocument(document);
  const holder = { productId: entitlement.productId, entitlementId: entitlement.id };
  return {
    entitlement,
    records: records
      .map((record) => fromRecordDocument(record, holder))
      .toSorted((a, b) => compareCodePoints(a.key, b.key)),
    history: fromHistoryDocuments(history),
  };
}
