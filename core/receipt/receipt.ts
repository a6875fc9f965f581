import { unpaidEnd, type Entitlement } from '../entitlement/entitlement.ts';
import { snapshotAt } from '../entitlement/snapshot.ts';
import { givesAccess, statusAt } from '../entitlement/status.ts';
import type { NewId } from '../identifier.ts';
import { day } from '../parsing/duration.ts';
import type { Allowance } from '../tier/allowance.ts';
import { hasFeatures } from '../tier/features.ts';
import type { ActiveKey, EncodeText, SignText } from './signing-key.ts';

/**
 * The origin of a receipt: asked for by an app, which asks again; handed out by the seller for a machine without a
 * network; or that of a trial, which has no license.
 */
export type ReceiptMode = 'online' | 'offline' | 'trial';

/** The default of the maximum time that an online receipt holds, in milliseconds. */
export const defaultReceiptTtl = 14 * day;

/** From when and until when a receipt holds. All three are whole seconds, `refreshAfter` also half ones. */
export interface ReceiptTerms {
  readonly issuedAt: Date;
  /** Half way. An app should fetch a new receipt from then on. */
  readonly refreshAfter: Date;
  readonly expiresAt: Date;
}

/**
 * The terms of a receipt that is issued now: until the longest time that it may hold, in milliseconds, but not beyond
 * the scheduled end, the period with its grace, nor the end of a purchase. Null for an entitlement that gives no
 * access, or none for a whole second.
 */
export function receiptTerms(entitlement: Entitlement, longest: number, now: Date): ReceiptTerms | null {
  if (!givesAccess(statusAt(entitlement, now))) return null;
  const ends = [now.getTime() + longest, ...endsOf(entitlement)];
  const issued = seconds(now.getTime());
  const expires = seconds(Math.min(...ends));
  if (expires <= issued) return null;
  return {
    issuedAt: new Date(issued * 1000),
    refreshAfter: new Date((issued + expires) * 500),
    expiresAt: new Date(expires * 1000),
  };
}

function endsOf(entitlement: Entitlement): readonly number[] {
  if (entitlement.kind === 'one_time') {
    return entitlement.accessEndsAt === null ? [] : [entitlement.accessEndsAt.getTime()];
  }
  const { cancellation } = entitlement;
  return [unpaidEnd(entitlement).getTime(), ...(cancellation === null ? [] : [cancellation.at.getTime()])];
}

function seconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1000);
}

/** The facts in a receipt. */
export interface ReceiptFacts {
  readonly entitlement: Entitlement;
  readonly allowance: Allowance;
  /** The digest of the license key, as it is stored; null for a trial. */
  readonly licenseDigest: string | null;
  readonly terms: ReceiptTerms;
  readonly mode: ReceiptMode;
  /** The device that the receipt is for; null for any. */
  readonly device: string | null;
  /** The URL of the service, as the RFC 9728 metadata have it in `resource`. */
  readonly issuer: string;
  /** The instant at which the entitlement is read. */
  readonly now: Date;
}

/** Writes and signs a receipt: a JWS in its compact serialization (RFC 7515 §7.1). */
export type WriteReceipt = (facts: ReceiptFacts, key: ActiveKey) => string;

export function writeReceipt(newReceiptId: NewId, encode: EncodeText, sign: SignText): WriteReceipt {
  return (facts, key) => {
    // Programs that verify licenses refuse another type, and so take no trial for one.
    const typ = facts.mode === 'trial' ? 'trial-receipt+jwt' : 'license-receipt+jwt';
    const header = { alg: 'ES256', kid: key.kid, typ };
    const signed = `${encode(JSON.stringify(header))}.${encode(JSON.stringify(claimsOf(facts, newReceiptId())))}`;
    return `${signed}.${sign(signed, key)}`;
  };
}

function claimsOf(facts: ReceiptFacts, jti: string): object {
  const { entitlement, allowance, licenseDigest, terms, mode, device, issuer, now } = facts;
  return {
    iss: issuer,
    aud: entitlement.productId,
    sub: entitlement.id,
    iat: seconds(terms.issuedAt.getTime()),
    exp: seconds(terms.expiresAt.getTime()),
    jti,
    ...(licenseDigest !== null && { key: licenseDigest }),
    mode,
    ...(device !== null && { device }),
    entitlement: { ...shownMembers(entitlement, now), ...allowed(allowance) },
  };
}

/** The allowance in a receipt; nothing without a limit and features, so that such receipts look as they always did. */
function allowed({ deviceLimit, features }: Allowance): object {
  return { ...(deviceLimit !== null && { deviceLimit }), ...(hasFeatures(features) && { features }) };
}

/** The entitlement as license verification shows it (specification 2.4), and until when there are access and updates. */
function shownMembers(entitlement: Entitlement, now: Date): object {
  const { id, productId, status, tierId, tierName, billingInterval, ...instants } = snapshotAt(entitlement, now);
  const { currentPeriodEnd, accessEndsAt, updatesUntil } = instants;
  return {
    id,
    productId,
    status,
    tierId,
    tierName,
    billingInterval,
    ...(currentPeriodEnd !== null && { currentPeriodEnd: currentPeriodEnd.toISOString() }),
    ...(accessEndsAt !== null && { accessEndsAt: accessEndsAt.toISOString() }),
    ...(updatesUntil !== null && { updatesUntil: updatesUntil.toISOString() }),
  };
}
