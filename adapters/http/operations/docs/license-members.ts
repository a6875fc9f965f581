import { licenseKeyMaxLength, licenseKeyMinLength } from '../../../../core/license/license-key.ts';

/** The members of every request about a license. */
export const licenseMembers = {
  licenseKey: { type: 'string', minLength: licenseKeyMinLength, maxLength: licenseKeyMaxLength },
  productId: { type: ['string', 'null'], description: 'If set, the license must belong to this product.' },
} as const;
