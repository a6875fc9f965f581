import { licenseKeyMaximum, licenseKeyMinimum } from '../../core/license/license-key.ts';
import type { VerifyLicense } from '../../core/license/verify-license.ts';
import { ok } from './answer.ts';
import type { Operation } from './operation.ts';
import { bodyCheck } from './validation.ts';
import { verificationBody } from './views.ts';

interface VerificationRequest {
  licenseKey: string;
  productId?: string;
}

const check = bodyCheck<VerificationRequest>(
  {
    type: 'object',
    required: ['licenseKey'],
    properties: {
      licenseKey: { type: 'string', minLength: licenseKeyMinimum, maxLength: licenseKeyMaximum },
      productId: { type: 'string' },
    },
  },
  {
    code: 'malformed_license_key',
    object: 'The request body must be a JSON object with the member licenseKey.',
    members: {
      licenseKey: `licenseKey must be a string of ${licenseKeyMinimum} to ${licenseKeyMaximum} characters.`,
      productId: 'productId must be a string.',
    },
  },
);

/** Operation 4.4. */
export function licenseOperations(verifyLicense: VerifyLicense): readonly Operation[] {
  return [
    {
      id: 'verifyLicense',
      method: 'POST',
      path: '/api/licenses/verify',
      access: 'public',
      body: 'json',
      crossOrigin: true,
      errors: 'verification',
      handle: async ({ body, call }) => {
        const { licenseKey, productId } = check(body);
        return ok(verificationBody(await verifyLicense(licenseKey, productId ?? null, call)));
      },
    },
  ];
}
