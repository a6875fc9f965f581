import type { AllKeys, KeyEnd, KeyPosition, Keys } from '../../core/key/keys.port.ts';
import type { StoredKey } from '../../core/key/stored-key.ts';
import { idIn, orderOf, type MemoryKeyTable } from './data/memory-key-table.ts';
import { firstAfter } from './data/sorted-texts.ts';

export class MemoryKeys<Key extends StoredKey> implements Keys<Key> {
  readonly #keys: MemoryKeyTable<Key>;

  constructor(keys: MemoryKeyTable<Key>) {
    this.#keys = keys;
  }

  async find(digest: string): Promise<Key | null> {
    return this.#keys.byDigest.get(digest) ?? null;
  }

  recordUse(id: string, at: Date): void {
    const key = this.#keys.find(id);
    if (key === null || (key.lastUsedAt !== null && key.lastUsedAt >= at)) return;
    this.#keys.put({ ...key, lastUsedAt: at });
  }
}

interface KeyPage {
  readonly productId?: string | null;
  readonly after: KeyPosition | null;
  readonly limit: number;
}

export class MemoryAllKeys<Key extends StoredKey & { readonly productId?: string }> implements AllKeys<Key> {
  readonly #keys: MemoryKeyTable<Key>;

  constructor(keys: MemoryKeyTable<Key>) {
    this.#keys = keys;
  }

  async find(id: string): Promise<Key | null> {
    return this.#keys.find(id);
  }

  async page({ productId = null, after, limit }: KeyPage): Promise<readonly Key[]> {
    return firstAfter(this.#keys.order, after === null ? null : orderOf(after), limit, (order) => {
      const key = this.#keys.find(idIn(order));
      return productId === null || key?.productId === productId ? key : null;
    });
  }

  async add(key: Key): Promise<'added' | 'id taken'> {
    if (this.#keys.digests.has(key.id)) return 'id taken';
    this.#keys.put(key);
    return 'added';
  }

  async end(id: string, by: KeyEnd): Promise<'ended' | 'unchanged'> {
    const key = this.#keys.find(id);
    if (key === null || key.revokedAt !== null) return 'unchanged';
    if ('expiresAt' in by && key.expiresAt !== null && key.expiresAt <= by.expiresAt) return 'unchanged';
    this.#keys.put({ ...key, ...by });
    return 'ended';
  }
}
