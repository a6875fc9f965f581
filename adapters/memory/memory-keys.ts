import type { Keys } from '../../core/key/keys.port.ts';
import type { StoredKey } from '../../core/key/stored-key.ts';
import type { MemoryKeyTable } from './data/memory-key-table.ts';

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
