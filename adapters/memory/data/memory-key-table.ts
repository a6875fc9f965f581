import type { KeyPosition } from '../../../core/key/keys.port.ts';
import type { StoredKey } from '../../../core/key/stored-key.ts';
import { SortedTexts } from './sorted-texts.ts';

/** The keys of one kind. */
export class MemoryKeyTable<Key extends StoredKey> {
  readonly byDigest = new Map<string, Key>();
  /** Id to digest. */
  readonly digests = new Map<string, string>();
  /** The order of lists, as `orderOf` writes it. */
  readonly order = new SortedTexts();

  find(id: string): Key | null {
    return this.byDigest.get(this.digests.get(id) ?? '') ?? null;
  }

  put(key: Key): void {
    this.byDigest.set(key.digest, key);
    this.digests.set(key.id, key.digest);
    this.order.add(orderOf(key));
  }
}

/** Writes a position so that positions are in the order of their texts. */
export function orderOf({ createdAt, id }: KeyPosition): string {
  return `${String(createdAt.getTime()).padStart(16, '0')}/${id}`;
}

/** The id in a position that `orderOf` has written. */
export function idIn(order: string): string {
  return order.slice(17);
}
