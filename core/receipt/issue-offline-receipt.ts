import type { Call } from '../call.ts';
import { requireTrust, type TrustsClock } from '../clock/clock-trust.ts';
import { untilStored } from '../compare-and-set.ts';
import type { TakeSeat } from '../device/take-seat.ts';
import type { AllEntitlements } from '../entitlement/administration/all-entitlements.port.ts';
import { existing } from '../entitlement/administration/show-entitlement.ts';
import type { Entitlement } from '../entitlement/entitlement.ts';
import { isLicensed } from '../entitlement/license/find-licensed.ts';
import { day, durationBetween } from '../parsing/duration.ts';
import { Refusal } from '../refusal.ts';
import { allowanceKnown, type KnownTiers } from '../tier/allowance.ts';
import type { IssuedReceipt } from './issue-receipt.ts';
import { noted, type KeyRing } from './key-ring.ts';
import type { MakeSigningKeys } from './make-signing-keys.ts';
import { receiptTerms, type WriteReceipt } from './receipt.ts';
import type { SigningKeys } from './signing-keys.port.ts';

/** The settings of a server that issues receipts. */
export interface ReceiptSettings {
  /** The URL of the service, as the RFC 9728 metadata have it in `resource`. */
  readonly issuer: () => string;
  /** The longest time for which an offline receipt may hold, in milliseconds. */
  readonly maxAge: number;
}

/** A device as the person in front of it names it. */
export interface NamedDevice {
  /** The app's own name for the device. */
  readonly deviceId: string;
  /** For lists. Null keeps the name that the device has. */
  readonly name: string | null;
}

export interface OfflineReceiptRequest {
  readonly entitlementId: string;
  /** The longest time that the receipt may hold, in milliseconds. The caller checks it against `RECEIPT_MAX_AGE`. */
  readonly expires: number;
  /** The device that the receipt is for, and that takes a seat; null or absent for a receipt for any device. */
  readonly device?: NamedDevice | null;
  /** The URL of the service, as the RFC 9728 metadata have it in `resource`. */
  readonly issuer: string;
}

/**
 * Issues a receipt for a machine that may never have a network. Its end is noted with the signing key before it is handed
 * out, because it cannot be recalled. Makes the signing keys if there are none. A device takes a seat first, or is refused
 * with `device_limit`. Refuses with `entitlement_not_found`; with `license_not_found` for an entitlement without a license,
 * or with a revoked one; with `clock_not_trusted`; with `no_access`; and with `changed_meanwhile` at the deadline.
 */
export type IssueOfflineReceipt = (request: OfflineReceiptRequest, call: Call) => Promise<IssuedReceipt>;

export interface OfflineReceiptParts {
  readonly entitlements: AllEntitlements;
  readonly keys: SigningKeys;
  readonly makeKeys: MakeSigningKeys;
  readonly takeSeat: TakeSeat;
  readonly trustsClock: TrustsClock;
  readonly write: WriteReceipt;
  readonly knownTiers: KnownTiers;
}

export function issueOfflineReceipt(parts: OfflineReceiptParts): IssueOfflineReceipt {
  const { entitlements, trustsClock, write } = parts;
  return async ({ entitlementId, expires, device: named = null, issuer }, call) => {
    const read = (): Promise<Entitlement> => existing(entitlements, entitlementId, call);
    const entitlement = await read();
    if (!isLicensed(entitlement)) throw new Refusal('license_not_found');
    await requireTrust(trustsClock, call);
    const { now } = call;
    const terms = receiptTerms(entitlement, expires, now);
    if (terms === null) throw new Refusal('no_access');
    const taken =
      named && (await parts.takeSeat(read, { ...named, replace: null, offlineUntil: terms.expiresAt }, call));
    const { active } = await note(parts, terms.expiresAt, call);
    const licenseDigest = entitlement.license.digest;
    const device = taken?.device.id ?? null;
    const allowance = await allowanceKnown(parts.knownTiers, entitlement, call);
    const facts = { entitlement, allowance, licenseDigest, terms, mode: 'offline', device, issuer, now } as const;
    return { receipt: write(facts, active), ...terms, entitlementId };
  };
}

/** Notes the end of a receipt, and returns the ring in which it is. */
function note({ keys, makeKeys }: OfflineReceiptParts, expiresAt: Date, call: Call): Promise<KeyRing> {
  return untilStored(call, async () => {
    const { ring } = await makeKeys(call);
    const next = noted(ring, expiresAt);
    return next === ring || (await keys.replace(next, call)).kind === 'replaced' ? next : 'stale';
  });
}

/** The rule for the time that an offline receipt is asked to hold. One that ends at once would open nothing. */
export const offlineAgeRule = durationBetween('1s', '36500d', '30d');

/** The default time that an offline receipt holds, in milliseconds. */
const defaultOfflineAge = 365 * day;

/** The default, where the longest time that is allowed is not shorter. */
export function offlineAge(given: number | null, longest: number): number {
  return given ?? Math.min(defaultOfflineAge, longest);
}
