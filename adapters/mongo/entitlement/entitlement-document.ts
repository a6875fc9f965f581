import type { Entitlement } from '../../../core/entitlement/entitlement.ts';
import type { RecordDocument } from './record-document.ts';

type WithoutId<T> = T extends unknown ? Omit<T, 'id'> : never;

/** A document of `entitlements` as everybody reads it: an entitlement under its id, instants as dates. */
export type EntitlementDocument = { readonly _id: string } & WithoutId<Entitlement>;

/** The whole of it, with the live and the not yet removed records. Reads of an entitlement leave them out. */
export type StoredEntitlement = EntitlementDocument & { readonly records?: readonly RecordDocument[] };

/** What a read of an entitlement leaves in the store. */
export const withoutRecords = { records: 0 };

export function toDocument({ id, ...facts }: Entitlement): EntitlementDocument {
  return { _id: id, ...facts };
}

export function fromDocument({ _id, ...facts }: EntitlementDocument): Entitlement {
  return { id: _id, ...facts };
}
