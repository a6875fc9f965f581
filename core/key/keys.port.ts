import type { Call } from '../call.ts';

/** Keys of one kind as requests present them. */
export interface Keys<Key> {
  /** Finds a key by its digest, usable or not, as it is stored now: a key revoked before the call is found revoked. */
  find(digest: string, call: Call): Promise<Key | null>;

  /**
   * Records a use. The store keeps the latest one. Returns at once and writes later, in bulk; a crash may lose it.
   */
  recordUse(id: string, at: Date): void;
}
