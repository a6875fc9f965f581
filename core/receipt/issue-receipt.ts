import type { Call } from '../call.ts';
import { requireTrust, type TrustsClock } from '../clock/clock-trust.ts';
import { findLicensed, type Licensed, type LicenseHolder } from '../entitlement/license/find-licensed.ts';
import type { Licenses } from '../entitlement/license/licenses.port.ts';
import { Refusal } from '../refusal.ts';
import type { Digest } from '../secret.ts';
import { allowanceKnown, type KnownTiers } from '../tier/allowance.ts';
import type { KeptSigningKeys } from './kept-signing-keys.ts';
import type { KeyRing } from './key-ring.ts';
import { receiptTerms, type ReceiptTerms, type WriteReceipt } from './receipt.ts';

export interface ReceiptRequest extends LicenseHolder {
  /** The URL of the service, as the RFC 9728 metadata have it in `resource`. */
  readonly issuer: string;
}

/** A signed receipt, with its times. */
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

export interface SigningParts {
  readonly keys: Pick<KeptSigningKeys, 'known'>;
  readonly trustsClock: TrustsClock;
  readonly write: WriteReceipt;
  /** The longest time that a receipt may hold, in milliseconds. */
  readonly ttl: number;
  readonly knownTiers: KnownTiers;
}

export function issueReceipt(licenses: Licenses, digest: Digest, sign: SignReceipt): IssueReceipt {
  return async ({ issuer, ...holder }, call) =>
    sign(await findLicensed(licenses, digest, holder, call), null, issuer, call);
}

/**
 * Signs a receipt of an entitlement that has a license, for one device or for any. Refuses with `clock_not_trusted`, with
 * `no_access`, and with `store_unavailable` where the signing keys cannot be read or were not made.
 */
export type SignReceipt = (
  entitlement: Licensed,
  device: string | null,
  issuer: string,
  call: Call,
) => Promise<IssuedReceipt>;

export function signReceipt({ keys, trustsClock, write, ttl, knownTiers }: SigningParts): SignReceipt {
  return async (entitlement, device, issuer, call) => {
    await requireTrust(trustsClock, call);
    const { now } = call;
    const terms = receiptTerms(entitlement, ttl, now);
    if (terms === null) throw new Refusal('no_access');
    const { active } = madeKeys(await keys.known(call));
    const licenseDigest = entitlement.license.digest;
    const allowance = await allowanceKnown(knownTiers, entitlement, call);
    const facts = { entitlement, allowance, licenseDigest, terms, mode: 'online', device, issuer, now } as const;
    return { receipt: write(facts, active), ...terms, entitlementId: entitlement.id };
  };
}

/** The keys, which a server makes when it starts. Refuses with `store_unavailable` where it could not. */
export function madeKeys(ring: KeyRing | null): KeyRing {
  if (ring === null) throw new Refusal('store_unavailable', { cause: new Error('the store has no signing keys yet') });
  return ring;
}
