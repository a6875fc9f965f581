import type { Call } from '../call.ts';
import type { AppKey } from './app-key.ts';

/** The app keys of every product. Only the administrator's commands use it. */
export interface AllAppKeys {
  find(id: string, call: Call): Promise<AppKey | null>;

  /** Lists every key, the oldest first; keys of one instant by id in code-point order. */
  list(call: Call): Promise<readonly AppKey[]>;

  add(key: AppKey, call: Call): Promise<void>;

  /**
   * Ends a key, now (`revokedAt`) or later (`expiresAt`). A revoked key, and one that expires sooner, stays as it is.
   * Once this resolves, every process refuses the key for requests that arrive later.
   */
  end(id: string, by: { readonly revokedAt: Date } | { readonly expiresAt: Date }, call: Call): Promise<void>;
}
