import type { Entitlement } from '../../../core/entitlement/entitlement.ts';
import type { RecordDocument } from './record-document.ts';

type WithoutId<T> = T extends unknown ? Omit<T, 'id'> : never;

/** A document of `entitlements` without its idempotency records: an entitlement under its id, instants as dates. */
export type EntitlementDocument = { readonly _id: string } & WithoutId<Entitlement>;

/** A whole document, with the records that are live and those that have expired but were not removed yet. */
export type StoredEntitlement = EntitlementDocument & { readonly records?: readonly RecordDocument[] };

/** The projection of every read of an entitlement: its records may be a hundred times larger than the rest. */
export const withoutRecords = { records: 0 };

export function toEntitlementDocument({ id, ...facts }: Entitlement): EntitlementDocument {
  return { _id: id, ...facts };
}

export function fromEntitlementDocument({ _id, ...facts }: EntitlementDocument): Entitlement {
  return { id: _id, ...facts };
}
