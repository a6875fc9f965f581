import type { StoredKey } from '../../../core/key/stored-key.ts';

/** The collections of keys. */
export type KeyCollection = 'app_keys' | 'operator_keys';

/** A key under its digest, by which every request looks it up. */
export type KeyDocument<Key extends StoredKey> = { readonly _id: string } & Omit<Key, 'digest'>;

export function toKeyDocument<Key extends StoredKey>({ digest, ...facts }: Key): KeyDocument<Key> {
  return { _id: digest, ...facts };
}

/** An operator key of release 0.1.0 has no products, and is not limited. */
export function fromKeyDocument<Key extends StoredKey>(
  collection: KeyCollection,
  { _id, ...facts }: KeyDocument<Key>,
): Key {
  const added = collection === 'operator_keys' ? { products: null } : {};
  // TypeScript does not see that the member that was left out of a generic type is put back.
  return { digest: _id, ...added, ...facts } as unknown as Key;
}
