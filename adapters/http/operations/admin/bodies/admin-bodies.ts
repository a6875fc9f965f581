import { listingRules, requiredOfListing } from '../../../../../core/catalog/administration/written-listing.ts';
import { billingIntervals } from '../../../../../core/entitlement/entitlement.ts';
import { grantRules, intervalCountRule, requiredOfGrant } from '../../../../../core/entitlement/written-grant.ts';
import { identifierRule } from '../../../../../core/identifier.ts';
import { durationRule } from '../../../../../core/parsing/duration.ts';
import { instantRule } from '../../../../../core/parsing/instant.ts';
import { displayNameRule, oneOf, textRule } from '../../../../../core/parsing/value-rule.ts';
import { offlineAgeRule } from '../../../../../core/receipt/issue-offline-receipt.ts';
import { emailAddressRule } from '../../../../../core/waitlist/sign-up.ts';
import { requestBody } from './request-body.ts';

/** Any text: core refuses what cannot be a key, with the code that the commands have. */
export const licenseKeyText = textRule((text) => text, 'must be a text');

/** The billing intervals of a subscription. */
export const billingIntervalRule = oneOf(billingIntervals);

export const productBody = requestBody({ name: displayNameRule }, ['name']);

export const priceBody = requestBody({ productId: identifierRule, tierId: identifierRule, tierName: displayNameRule }, [
  'productId',
  'tierId',
  'tierName',
]);

export const grantBody = requestBody({ ...grantRules, licenseKey: licenseKeyText }, requiredOfGrant, {
  billingIntervalCount: 'How many intervals a period has, 1 by default. Not for a purchase.',
  currentPeriodStart: 'Now by default.',
  currentPeriodEnd: '`billingIntervalCount` intervals after the start by default.',
  status: '`active` by default.',
});

export const renewalBody = requestBody({ currentPeriodEnd: instantRule, grace: durationRule }, ['currentPeriodEnd']);

export const tierBody = requestBody(
  {
    tierId: identifierRule,
    tierName: displayNameRule,
    billingInterval: billingIntervalRule,
    billingIntervalCount: intervalCountRule,
    currentPeriodEnd: instantRule,
    grace: durationRule,
  },
  ['tierId', 'tierName'],
  { billingIntervalCount: 'How many intervals a period has: by default 1 with a `billingInterval`, else as before.' },
);

export const licenseRotationBody = requestBody({ licenseKey: licenseKeyText }, []);

export const licenseSearchBody = requestBody({ licenseKey: licenseKeyText }, ['licenseKey']);

export const offlineReceiptBody = requestBody({ expires: offlineAgeRule }, [], {
  expires:
    '365d by default, or `RECEIPT_MAX_AGE` if that is shorter. At least `1s`, and not longer than `RECEIPT_MAX_AGE`.',
});

export const signingKeyRotationBody = requestBody({ from: identifierRule }, []);

const { slug: _, ...rulesWithoutSlug } = listingRules;

/** A listing, whose slug is in the path. */
export const listingBody = requestBody(
  rulesWithoutSlug,
  requiredOfListing.filter((member) => member !== 'slug'),
);

export const erasureBody = requestBody({ email: emailAddressRule }, ['email']);
