import { Counter, type Registry } from '@prometheus-io/client';
import type { LicenseVerification, VerifyLicense } from '../../core/entitlement/license/verify-license.ts';

/** Counts the results of license verifications. */
export class VerificationCounter {
  readonly #counter: Counter<'result' | 'status'>;

  constructor(registry: Registry) {
    this.#counter = new Counter({
      name: 'latchkey_verifications_total',
      help: 'License verifications by result (valid, refused, unknown) and status of the entitlement.',
      labelNames: ['result', 'status'],
      registers: [registry],
    });
  }

  /** Wraps the verification of licenses so that each result is counted. */
  counting(verifyLicense: VerifyLicense): VerifyLicense {
    return async (...parameters) => {
      const verification = await verifyLicense(...parameters);
      this.#counter.inc(labelsOf(verification));
      return verification;
    };
  }
}

function labelsOf({ valid, entitlement }: LicenseVerification): { result: string; status?: string } {
  if (entitlement === null) return { result: 'unknown' };
  return { result: valid ? 'valid' : 'refused', status: entitlement.status };
}
