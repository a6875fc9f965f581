import type { Call } from '../call.ts';

/** The position of a key in lists, which have the oldest first and keys of one instant by id in code-point order. */
export interface KeyPosition {
  readonly createdAt: Date;
  readonly id: string;
}

/** The end of a key: now, or later. */
export type KeyEnd = { readonly revokedAt: Date } | { readonly expiresAt: Date };

/** Every key of one kind. Only the administrator uses it. */
export interface AllKeys<Key> {
  find(id: string, call: Call): Promise<Key | null>;

  /** Adds a key, unless another has its id. */
  add(key: Key, call: Call): Promise<'added' | 'id taken'>;

  /**
   * Ends a key, now (`revokedAt`) or later (`expiresAt`). A revoked key, and one that expires sooner, stays as it is.
   * Once this resolves, every process refuses the key for requests that arrive later. Of several equal calls, also at
   * once, one returns `ended`. Safe to repeat.
   */
  end(id: string, by: KeyEnd, call: Call): Promise<'ended' | 'unchanged'>;
}

/** Keys of one kind as requests present them. */
export interface Keys<Key> {
  /** Finds a key by its digest, usable or not, as it is stored now: a key revoked before the call is found revoked. */
  find(digest: string, call: Call): Promise<Key | null>;

  /** Records a use. The store keeps the latest one. Returns at once and writes later, in bulk; a crash may lose it. */
  recordUse(id: string, at: Date): void;
}
