import type { Call } from '../call.ts';
import type { AppKey } from './app-key.ts';

/** App keys as requests present them. */
export interface AppKeys {
  /** Finds a key by its digest, usable or not, as it is stored now: a key revoked before the call is found revoked. */
  find(digest: string, call: Call): Promise<AppKey | null>;

  /**
   * Records a use. The store keeps the latest one. Returns at once and writes later, in bulk; a crash may lose it.
   */
  recordUse(id: string, at: Date): void;
}
