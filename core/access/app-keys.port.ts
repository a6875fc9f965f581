import type { Call } from '../call.ts';
import type { AppKey } from './app-key.ts';

/** App keys as a request meets them. */
export interface AppKeys {
  /** The key with this digest as the store has it now, usable or not: a key that was revoked before the call is seen revoked. */
  find(digest: string, call: Call): Promise<AppKey | null>;

  /** Notes a use; the latest counts. Returns at once; the store learns of it later and in bulk, and a crash may lose it. */
  recordUse(id: string, at: Date): void;
}
