import type { Call } from '../call.ts';
import { requireTrust, type TrustsClock } from '../clock/clock-trust.ts';
import { findLicense } from '../entitlement/license/find-license.ts';
import type { Licenses } from '../entitlement/license/licenses.port.ts';
import { hasLicenseKeyLength } from '../license/license-key.ts';
import { Refusal } from '../refusal.ts';
import type { Digest } from '../secret.ts';
import type { KeptSigningKeys } from './kept-signing-keys.ts';
import type { KeyRing } from './key-ring.ts';
import { receiptTerms, type ReceiptTerms, type WriteReceipt } from './receipt.ts';

export interface ReceiptRequest {
  readonly licenseKey: string;
  /** The product that the license must belong to; null for any. */
  readonly productId: string | null;
  /** The URL of the service, as the RFC 9728 metadata have it in `resource`. */
  readonly issuer: string;
}

/** A signed receipt, and what it says of its time. */
export interface IssuedReceipt extends ReceiptTerms {
  readonly receipt: string;
  /** For the log. */
  readonly entitlementId: string;
}

/**
 * Issues a receipt for the holder of a license key. Writes nothing, and looks up one license. Refuses with
 * `malformed_license_key`; with `license_not_found` for an unknown, a revoked and another product's key alike, which is
 * decided first; with `clock_not_trusted`; with `no_access`; and with `store_unavailable` where the signing keys cannot be
 * read or were not made.
 */
export type IssueReceipt = (request: ReceiptRequest, call: Call) => Promise<IssuedReceipt>;

export interface ReceiptParts {
  readonly licenses: Licenses;
  readonly keys: Pick<KeptSigningKeys, 'known'>;
  readonly trustsClock: TrustsClock;
  readonly digest: Digest;
  readonly write: WriteReceipt;
  /** The longest time that a receipt may hold, in milliseconds. */
  readonly ttl: number;
}

export function issueReceipt({ licenses, keys, trustsClock, digest, write, ttl }: ReceiptParts): IssueReceipt {
  return async ({ licenseKey, productId, issuer }, call) => {
    if (!hasLicenseKeyLength(licenseKey)) throw new Refusal('malformed_license_key');
    const entitlement = await findLicense((each) => licenses.find(each, call), licenseKey, digest);
    if (entitlement?.license?.revokedAt !== null) throw new Refusal('license_not_found');
    if (productId !== null && productId !== entitlement.productId) throw new Refusal('license_not_found');
    await requireTrust(trustsClock, call);
    const { now } = call;
    const terms = receiptTerms(entitlement, ttl, now);
    if (terms === null) throw new Refusal('no_access');
    const { active } = madeKeys(await keys.known(call));
    const facts = {
      entitlement,
      licenseDigest: entitlement.license.digest,
      terms,
      mode: 'online',
      issuer,
      now,
    } as const;
    return { receipt: write(facts, active), ...terms, entitlementId: entitlement.id };
  };
}

/** The keys, which a server makes when it starts. Refuses with `store_unavailable` where it could not. */
export function madeKeys(ring: KeyRing | null): KeyRing {
  if (ring === null) throw new Refusal('store_unavailable', { cause: new Error('the store has no signing keys yet') });
  return ring;
}
