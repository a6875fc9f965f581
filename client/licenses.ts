import { LatchkeyError } from './errors.ts';
import type { IssuedReceipt, LicensedEntitlement } from './models.ts';
import type { CallOptions } from './request.ts';
import { dataOf, send, unusable, type Transport } from './transport.ts';

export interface VerifyOptions extends CallOptions {
  /** If set, the license must belong to this product. */
  readonly productId?: string | undefined;
}

export interface ReceiptOptions extends CallOptions {
  /** The license must belong to this product. */
  readonly productId: string;
}

/**
 * What a verification found. `unavailable` is no verdict: a failure of the service or of the network says nothing of the
 * license, so that no buyer may be locked out because of it.
 */
export type Verification =
  | { readonly verdict: 'valid'; readonly entitlement: LicensedEntitlement }
  /** The license is known, and its entitlement gives no access now. */
  | { readonly verdict: 'invalid'; readonly reason: 'no_access'; readonly entitlement: LicensedEntitlement }
  /** The key cannot be one, or no license of the product has it, or the license was revoked. */
  | { readonly verdict: 'invalid'; readonly reason: 'malformed' | 'unknown'; readonly entitlement: null }
  | { readonly verdict: 'unavailable'; readonly error: LatchkeyError };

/** Verifies license keys, and fetches their receipts. */
export class Licenses {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Never throws, whatever the key or the service: it only rejects when the caller's signal is aborted. */
  async verify(licenseKey: string, { productId, ...options }: VerifyOptions = {}): Promise<Verification> {
    const body = { licenseKey, productId };
    try {
      const { valid, entitlement } = await send(this.#transport, {
        ...options,
        method: 'POST',
        path: '/api/licenses/verify',
        body,
      });
      return verificationOf(valid, entitlement);
    } catch (error) {
      if (!(error instanceof LatchkeyError)) throw error;
      if (error.code === 'malformed_license_key') return { verdict: 'invalid', reason: 'malformed', entitlement: null };
      return { verdict: 'unavailable', error };
    }
  }

  /**
   * Fetches a receipt of a license that gives access: a proof that `verifyReceipt` verifies without the service. Throws
   * `NotFoundError` for a key that no license of the product has, and `ConflictError` for a license that gives no access.
   */
  async receipt(licenseKey: string, { productId, ...options }: ReceiptOptions): Promise<IssuedReceipt> {
    const body = { licenseKey, productId };
    const request = { ...options, method: 'POST', path: '/api/licenses/receipt', body } as const;
    return (await dataOf(this.#transport, request)) as IssuedReceipt;
  }
}

function verificationOf(valid: unknown, entitlement: unknown): Verification {
  const isUsable = entitlement === undefined || (typeof entitlement === 'object' && entitlement !== null);
  if (!isUsable || typeof valid !== 'boolean' || (valid && entitlement === undefined))
    return { verdict: 'unavailable', error: unusable('The answer is not one of Latchkey') };
  if (entitlement === undefined) return { verdict: 'invalid', reason: 'unknown', entitlement: null };
  const shown = entitlement as LicensedEntitlement;
  return valid
    ? { verdict: 'valid', entitlement: shown }
    : { verdict: 'invalid', reason: 'no_access', entitlement: shown };
}
