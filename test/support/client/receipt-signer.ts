import { createHash, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { digest } from '../../../adapters/crypto/node-secrets.ts';
import type { LicensedEntitlement, SigningKey } from '../../../client/index.ts';
import { licenseDigest } from '../../../core/license/license-key.ts';
import { day, noon } from '../builders.ts';
import { licenseKeys } from '../http/fixtures.ts';

/** The license key of every receipt that names no other. */
export const licenseKey = licenseKeys.active;

export const issuer = 'https://licenses.example';

/** The second in which a receipt is issued. */
export const issuedAt = noon.getTime() / 1000;

/** Seconds for which a receipt is valid: 14 days. */
export const validFor = (14 * day) / 1000;

export function aLicensedEntitlement(overrides: Partial<LicensedEntitlement> = {}): LicensedEntitlement {
  return {
    id: 'ent_1',
    productId: 'prod_1',
    status: 'active',
    tierId: 'pro',
    tierName: 'Größe ☃',
    billingInterval: 'month',
    currentPeriodEnd: '2026-08-01T00:00:00.000Z',
    ...overrides,
  };
}

export type Members = Readonly<Record<string, unknown>>;

/** The claims of a receipt that was issued at noon. */
export function receiptClaims(overrides: Members = {}): Members {
  return {
    iss: issuer,
    aud: 'prod_1',
    sub: 'ent_1',
    iat: issuedAt,
    exp: issuedAt + validFor,
    jti: 'rcp_1',
    key: digestOf(licenseKey),
    mode: 'online',
    entitlement: aLicensedEntitlement(),
    ...overrides,
  };
}

/** The digest by which the service stores a license key. */
export function digestOf(key: string): string {
  return licenseDigest(key, digest);
}

/** A signing key, as the service has one. */
export class ReceiptSigner {
  readonly publicKey: SigningKey & { readonly kid: string; readonly x: string; readonly y: string };
  readonly key: KeyObject;

  constructor() {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
    const [kty, crv, alg, use] = ['EC', 'P-256', 'ES256', 'sig'] as const;
    const kid = createHash('sha256').update(JSON.stringify({ crv, kty, x, y })).digest('base64url');
    this.key = privateKey;
    this.publicKey = { kty, crv, x, y, kid, alg, use };
  }

  header(overrides: Members = {}): Members {
    return { alg: 'ES256', kid: this.publicKey.kid, typ: 'license-receipt+jwt', ...overrides };
  }

  receipt(claims: Members = receiptClaims(), header: Members = this.header()): string {
    return this.signed(JSON.stringify(header), JSON.stringify(claims));
  }

  /** Signs texts as they are. `dsaEncoding` is that of the signature. */
  signed(header: string, payload: string | Uint8Array, dsaEncoding: 'ieee-p1363' | 'der' = 'ieee-p1363'): string {
    const content = `${base64url(header)}.${base64url(payload)}`;
    return `${content}.${base64url(sign('sha256', Buffer.from(content), { key: this.key, dsaEncoding }))}`;
  }
}

export function base64url(bytes: string | Uint8Array): string {
  return Buffer.from(bytes).toString('base64url');
}
