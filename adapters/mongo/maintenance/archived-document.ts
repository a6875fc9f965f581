import type { Document, ObjectId } from 'mongodb';
import type { ArchivedEntitlement, Entry, Section } from '../../../core/copy/archive.port.ts';
import { compareCodePoints } from '../../../core/code-points.ts';
import { fromAppKeyDocument, toAppKeyDocument, type AppKeyDocument } from '../access/app-key-document.ts';
import { fromDocument, toDocument, type StoredEntitlement } from '../entitlement/entitlement-document.ts';
import { fromListingDocument, type ListingDocument } from '../catalog/listing-document.ts';
import type { ProductDocument, SignUpDocument } from '../driver/mongo-store.ts';
import { fromRecordDocument, toRecordDocument } from '../entitlement/record-document.ts';

/** An entry as the document that holds it; `newToken` makes one for each record. */
export function toArchived(entry: Entry, newToken: () => ObjectId): Document & { readonly _id: string } {
  switch (entry.section) {
    case 'products': {
      const { id, ...facts } = entry.value;
      return { _id: id, ...facts };
    }
    case 'appKeys':
      return toAppKeyDocument(entry.value);
    case 'entitlements': {
      const records = entry.value.records.map((record) => toRecordDocument(record, newToken()));
      return { ...toDocument(entry.value.entitlement), ...(records.length > 0 && { records }) };
    }
    case 'listings': {
      const { slug, ...facts } = entry.value;
      return { _id: slug, ...facts };
    }
    case 'signUps':
      return { _id: entry.id, ...entry.value, requests: 1 };
  }
}

/** The entry that a document of a section's collection holds. */
export function fromArchived(section: Section, document: Document): Entry {
  const id: string = document['_id'];
  switch (section) {
    case 'products': {
      const { name, createdAt } = document as ProductDocument;
      return { section, id, value: { id, name, createdAt } };
    }
    case 'appKeys':
      return { section, id, value: fromAppKeyDocument(document as AppKeyDocument) };
    case 'entitlements':
      return { section, id, value: archivedEntitlement(document as StoredEntitlement) };
    case 'listings':
      return { section, id, value: fromListingDocument(document as ListingDocument) };
    case 'signUps': {
      const { email, name, handle, role, at } = document as SignUpDocument;
      return { section, id, value: { email, name, handle, role, at } };
    }
  }
}

function archivedEntitlement({ records = [], ...document }: StoredEntitlement): ArchivedEntitlement {
  const entitlement = fromDocument(document);
  const of = { productId: entitlement.productId, entitlementId: entitlement.id };
  return {
    entitlement,
    records: records
      .map((record) => fromRecordDocument(record, of))
      .toSorted((a, b) => compareCodePoints(a.key, b.key)),
  };
}
