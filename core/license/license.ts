/** The license that an entitlement holds. Its key is shown once; only the digest is stored. */
export interface License {
  /** SHA-256 of the key's identity, base64url; unique over all products. */
  readonly digest: string;
  /** The end of the key, for display; null if it would reveal too much of a short key. */
  readonly lastFour: string | null;
  readonly createdAt: Date;
  /** A revoked license keeps its digest, so that its key is never issued again, and verifies nothing. */
  readonly revokedAt: Date | null;
}

/** What may be shown of a license. */
export type LicenseFacts = Omit<License, 'digest'>;

export function withoutDigest({ lastFour, createdAt, revokedAt }: License): LicenseFacts {
  return { lastFour, createdAt, revokedAt };
}
