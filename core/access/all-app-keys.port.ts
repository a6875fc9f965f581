import type { Call } from '../call.ts';
import type { AppKey } from './app-key.ts';

/** App keys of every product, for the administrator's commands only. */
export interface AllAppKeys {
  find(id: string, call: Call): Promise<AppKey | null>;

  /** All of them, oldest first, then by id. */
  list(call: Call): Promise<readonly AppKey[]>;

  add(key: AppKey, call: Call): Promise<void>;

  /**
   * Ends a key: `revokedAt` now, or `expiresAt` at an instant, unless it is already revoked or ends sooner.
   * When it resolves, every process refuses requests that arrive later.
   */
  end(id: string, by: { readonly revokedAt: Date } | { readonly expiresAt: Date }, call: Call): Promise<void>;
}
