import { isReceiptEntitlement } from './answer/forms.ts';
import type { Features, LicensedEntitlement } from './models.ts';
import { deviceOf } from './receipts/device.ts';
import { isSigned, jwsIn, keyNamed, objectIn, type Claims, type SigningKey } from './receipts/jws.ts';
import { isDigestOf } from './receipts/license-key.ts';

/** The output of `latchkey signing-key export`: a JWKS (RFC 7517 §5). */
export interface SigningKeySet {
  readonly keys: readonly SigningKey[];
}

export interface VerifyReceiptOptions {
  /** The keys that the app trusts: a JWKS, or the array of its keys. Compile them in, and never fetch them. */
  readonly keys: SigningKeySet | readonly SigningKey[];
  readonly productId: string;
  /** If set, the receipt must be that of this license, in any spelling of its key that the buyer has typed. */
  readonly licenseKey?: string | undefined;
  /** If set, the app's own name for its device, which the receipt must be for. An offline receipt may be for any device. */
  readonly deviceId?: string | undefined;
  /** Whether it must be the receipt of a trial, for which `deviceId` is needed. Default: that of a license. */
  readonly trial?: boolean | undefined;
  /** If set, the service that must have issued the receipt: its `PUBLIC_URL`. */
  readonly issuer?: string | undefined;
  /** The present instant. Default: the clock. */
  readonly now?: Date | undefined;
  /** The latest instant that this machine has seen, against a clock that is set back. */
  readonly lastSeen?: Date | undefined;
}

/** The entitlement of a license check, with the members that only receipts have. Times are ISO 8601. */
export interface ReceiptEntitlement extends LicensedEntitlement {
  /** When the access of a one-time purchase ends; absent if it never does. */
  readonly accessEndsAt?: string;
  /** Until when the buyer gets updates; absent if none is set. */
  readonly updatesUntil?: string;
  /** The limit of devices; absent without a limit. */
  readonly deviceLimit?: number | null;
  /** The features of the license, by name; absent for none. */
  readonly features?: Features;
}

/** The license that a receipt shows. Times are ISO 8601. */
export type ReceiptVerification =
  | {
      readonly verdict: 'valid';
      readonly entitlement: ReceiptEntitlement;
      /** `online` receipts are fetched by the app, `offline` ones are handed out by the operator; `trial` has no license. */
      readonly mode: 'online' | 'offline' | 'trial';
      readonly issuedAt: string;
      readonly refreshAfter: string;
      readonly expiresAt: string;
    }
  /** The receipt is genuine, and over. */
  | {
      readonly verdict: 'invalid';
      readonly reason: 'clock_set_back' | 'expired';
      readonly entitlement: ReceiptEntitlement;
    }
  | { readonly verdict: 'invalid'; readonly reason: ReceiptRefusal; readonly entitlement: null };

/** Why a text is no receipt for this license, in the order in which it is found. */
export type ReceiptRefusal =
  | 'malformed'
  | 'unknown_signing_key'
  | 'bad_signature'
  | 'wrong_issuer'
  | 'wrong_product'
  | 'wrong_key'
  | 'wrong_device';

/** Milliseconds by which a clock may be behind an instant that it has shown before, or behind the service. */
const clockTolerance = 86_400_000;

/** The latest second that a `Date` can hold. */
const lastSecond = 8_640_000_000_000;

/**
 * Verifies a receipt, without any request. White space and invisible characters do not count. Throws `TypeError` for options that
 * cannot be used, and where Web Crypto is missing.
 */
export async function verifyReceipt(receipt: string, options: VerifyReceiptOptions): Promise<ReceiptVerification> {
  const { productId, licenseKey, deviceId, issuer, lastSeen, trial = false } = options;
  if (trial && deviceId === undefined) throw new TypeError('deviceId is needed: a trial is one of a device');
  const keys = trustedKeys(options);
  const now = instantOf(options.now ?? new Date());
  const seen = lastSeen === undefined ? now : instantOf(lastSeen);
  const jws = jwsIn(receipt, trial ? 'trial-receipt+jwt' : 'license-receipt+jwt');
  if (jws === null) return refused('malformed');
  const key = await keyNamed(jws.kid, keys);
  if (key === null) return refused('unknown_signing_key');
  if (!(await isSigned(jws, key))) return refused('bad_signature');
  const claims = receiptClaims(objectIn(jws.payload));
  if (claims === null || (claims.mode === 'trial') !== trial) return refused('malformed');
  if (issuer !== undefined && claims.iss !== issuer) return refused('wrong_issuer');
  if (claims.aud !== productId) return refused('wrong_product');
  if (licenseKey !== undefined && !(await isDigestOf(licenseKey, claims.key))) return refused('wrong_key');
  if (deviceId !== undefined && !(await isForDevice(claims, deviceId))) return refused('wrong_device');
  const { entitlement } = claims;
  const latest = Math.max(now, seen, claims.iat * 1000);
  if (latest - now > clockTolerance) return { verdict: 'invalid', reason: 'clock_set_back', entitlement };
  if (latest >= claims.exp * 1000) return { verdict: 'invalid', reason: 'expired', entitlement };
  return validUntil(claims);
}

interface ReceiptClaims {
  readonly iss: unknown;
  readonly aud: unknown;
  readonly key: unknown;
  readonly mode: unknown;
  /** Absent in a receipt for any device. */
  readonly device: unknown;
  /** Seconds. */
  readonly iat: number;
  /** Seconds. */
  readonly exp: number;
  readonly entitlement: ReceiptEntitlement;
}

/**
 * The keys that a program trusts. Throws `TypeError` if there are none, or no product to verify receipts of, and where Web
 * Crypto is missing.
 */
export function trustedKeys({
  keys,
  productId,
}: Pick<VerifyReceiptOptions, 'keys' | 'productId'>): readonly SigningKey[] {
  const all: unknown = Array.isArray(keys) ? keys : (keys as SigningKeySet | undefined)?.keys;
  if (!Array.isArray(all) || all.length === 0)
    throw new TypeError('keys must be what `latchkey signing-key export` prints: a JWKS with at least one key');
  if (typeof productId !== 'string' || productId === '') throw new TypeError('productId must be the id of a product');
  if (crypto.subtle === undefined) throw new TypeError('Web Crypto is missing: a page must be served over https');
  return all as readonly SigningKey[];
}

/** Milliseconds. Throws `TypeError` for an invalid `Date`. */
function instantOf(date: Date): number {
  const instant = date.getTime();
  if (Number.isNaN(instant)) throw new TypeError('now and lastSeen must be valid dates');
  return instant;
}

/** The claims that every receipt has; null if one of these is not valid. */
function receiptClaims(claims: Claims | null): ReceiptClaims | null {
  const { iss, aud, key, mode, device, iat, exp, entitlement } = claims ?? {};
  if (!isSecond(iat) || !isSecond(exp) || !isReceiptEntitlement(entitlement)) return null;
  const shown = entitlement as unknown as ReceiptEntitlement;
  return { iss, aud, key, mode, device, iat, exp, entitlement: shown };
}

function isSecond(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) <= lastSecond;
}

/** An online receipt without a device is one that any device can fetch. */
async function isForDevice({ device, mode, entitlement }: ReceiptClaims, deviceId: unknown): Promise<boolean> {
  if (device === undefined) return mode === 'offline';
  return typeof deviceId === 'string' && device === (await deviceOf(entitlement.id, deviceId));
}

function validUntil({ entitlement, mode, iat, exp }: ReceiptClaims): ReceiptVerification {
  return {
    verdict: 'valid',
    entitlement,
    mode: mode === 'offline' || mode === 'trial' ? mode : 'online',
    issuedAt: new Date(iat * 1000).toISOString(),
    refreshAfter: new Date((iat + exp) * 500).toISOString(),
    expiresAt: new Date(exp * 1000).toISOString(),
  };
}

function refused(reason: ReceiptRefusal): ReceiptVerification {
  return { verdict: 'invalid', reason, entitlement: null };
}
