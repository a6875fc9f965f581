import type { VerifyLicense } from '../../../core/entitlement/license/verify-license.ts';
import { ok } from '../answer.ts';
import { refusals } from '../refusals.ts';
import { verificationExample } from './docs/examples.ts';
import { licenses, type OperationDocs } from './docs/operation-docs.ts';
import { schemas } from './docs/schemas.ts';
import type { Operation } from './operation.ts';
import { bodyCheck } from './validation.ts';
import { verificationBody } from './views.ts';

interface VerificationRequest {
  licenseKey: string;
  productId?: string | null;
}

/** Checks the body of a request about a license. Refuses with `malformed_license_key`. */
export const checkLicense = bodyCheck<VerificationRequest>(schemas.LicenseVerificationRequest, {
  code: 'malformed_license_key',
  object: 'The request body must be a JSON object with the member licenseKey.',
  members: {
    licenseKey: refusals.malformed_license_key[1],
    productId: 'productId must be a string.',
  },
});

const verifyDocs: OperationDocs = {
  tag: licenses,
  summary: "Verify a buyer's license key.",
  description:
    'Trust `valid`. It is false for an unknown key and for a license that gives no access now; in the second case `entitlement` says why. Never lock a buyer out on a 5xx or a timeout: neither says anything about the license.',
  request: {
    schema: 'LicenseVerificationRequest',
    example: { licenseKey: 'a-license-key-of-a-buyer', productId: 'prod_1' },
  },
  success: {
    description: 'Whether the license gives access now.',
    schema: 'LicenseVerification',
    example: verificationExample,
  },
  refusals: ['malformed_license_key'],
  acceptedScope: 'read:licenses',
};

/** Operation 4.4. */
export function licenseOperations(verifyLicense: VerifyLicense): readonly Operation[] {
  return [
    {
      id: 'verifyLicense',
      method: 'POST',
      path: '/api/licenses/verify',
      caller: 'anyone',
      body: 'json',
      crossOrigin: true,
      errors: 'verification',
      docs: verifyDocs,
      handle: async ({ body, call }) => {
        const { licenseKey, productId } = checkLicense(body);
        const verification = await verifyLicense(licenseKey, productId ?? null, call);
        const answer = ok(verificationBody(verification));
        return verification.entitlement === null ? answer : { ...answer, entitlementId: verification.entitlement.id };
      },
    },
  ];
}
