import type { ReplaceOutcome } from '../../../core/compare-and-set.ts';
import type { KeyRing } from '../../../core/receipt/key-ring.ts';
import type { SigningKeys } from '../../../core/receipt/signing-keys.port.ts';
import type { MemoryStore } from '../data/memory-store.ts';

export class MemorySigningKeys implements SigningKeys {
  readonly #store: MemoryStore;

  constructor(store: MemoryStore) {
    this.#store = store;
  }

  async read(): Promise<KeyRing | null> {
    return this.#store.keyRing;
  }

  async replace(next: KeyRing): Promise<ReplaceOutcome> {
    if ((this.#store.keyRing?.revision ?? 0) !== next.revision - 1) return { kind: 'stale' };
    this.#store.keyRing = next;
    return { kind: 'replaced' };
  }
}
