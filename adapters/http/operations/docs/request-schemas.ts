import { licenseKeyMaxLength, licenseKeyMinLength } from '../../../../core/license/license-key.ts';
import { waitlistRoles } from '../../../../core/waitlist/sign-up.ts';
import { enumOf } from './schema-parts.ts';

const shortText = {
  type: 'string',
  maxLength: 200,
  pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$',
  format: 'well-formed', // not part of the pattern: request generators do not know surrogates
};

export const emailSchema = { type: 'string', format: 'email' };
export const detailSchemas = { name: shortText, handle: shortText, role: enumOf(waitlistRoles) };

/** The schemas that request bodies are checked with. Members that they do not name are ignored. */
export const requestSchemas = {
  WaitlistSignUp: { type: 'object', required: ['email'], properties: { email: emailSchema, ...detailSchemas } },
  LicenseVerificationRequest: {
    type: 'object',
    required: ['licenseKey'],
    properties: {
      licenseKey: { type: 'string', minLength: licenseKeyMinLength, maxLength: licenseKeyMaxLength },
      productId: { type: 'string', description: 'If set, the license must belong to this product.' },
    },
  },
} as const;
