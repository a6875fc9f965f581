/** The administrator's terms for a new key. */
export interface KeyTerms<Scope extends string = string> {
  readonly scopes: readonly Scope[];
  readonly expiresAt: Date | null;
}

/** A key that is sent as a Bearer credential, as a store keeps it. The key is shown once; only its digest is stored. */
export interface StoredKey<Scope extends string = string> extends KeyTerms<Scope> {
  readonly id: string;
  /** SHA-256 of the key, base64url. */
  readonly digest: string;
  /** For display. */
  readonly lastFour: string;
  readonly createdAt: Date;
  readonly revokedAt: Date | null;
  /** Accurate to about a minute; null before the first use. */
  readonly lastUsedAt: Date | null;
}

/** Reports whether a key gives access at this instant. */
export function isUsable(key: Pick<StoredKey, 'revokedAt' | 'expiresAt'>, now: Date): boolean {
  return key.revokedAt === null && (key.expiresAt === null || key.expiresAt > now);
}
