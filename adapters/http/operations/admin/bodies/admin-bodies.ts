import { listingRules, requiredOfListing } from '../../../../../core/catalog/administration/written-listing.ts';
import { billingIntervals } from '../../../../../core/entitlement/entitlement.ts';
import { grantRules, intervalCountRule, requiredOfGrant } from '../../../../../core/entitlement/written-grant.ts';
import { identifierRule } from '../../../../../core/identifier.ts';
import { scopes } from '../../../../../core/key/app/app-key.ts';
import { operatorScopes } from '../../../../../core/key/operator/operator-key.ts';
import { scopesRule } from '../../../../../core/key/scopes-rule.ts';
import { durationRule } from '../../../../../core/parsing/duration.ts';
import { instantRule } from '../../../../../core/parsing/instant.ts';
import { displayNameRule, oneOf, textRule } from '../../../../../core/parsing/value-rule.ts';
import { offlineAgeRule } from '../../../../../core/receipt/issue-offline-receipt.ts';
import { emailAddressRule } from '../../../../../core/waitlist/sign-up.ts';
import { feedCursorRule } from '../../../../../core/webhook/redeliver-events.ts';
import { eventTypesRule, webhookUrlRule } from '../../../../../core/webhook/webhook-endpoint.ts';
import { requestBody } from './request-body.ts';

/** Any text: core refuses what cannot be a key, with the code that the commands have. */
export const licenseKeyText = textRule((text) => text, 'must be a text');

/** The billing intervals of a subscription. */
export const billingIntervalRule = oneOf(billingIntervals);

export const appScopesRule = scopesRule(scopes);
export const operatorScopesRule = scopesRule(operatorScopes);

export const productBody = requestBody({ name: displayNameRule }, ['name']);

export const priceBody = requestBody({ productId: identifierRule, tierId: identifierRule, tierName: displayNameRule }, [
  'productId',
  'tierId',
  'tierName',
]);

const newKeyRules = { id: identifierRule, expiresAt: instantRule };

export const appKeyBody = requestBody({ ...newKeyRules, scopes: appScopesRule }, []);

export const operatorKeyBody = requestBody({ ...newKeyRules, name: displayNameRule, scopes: operatorScopesRule }, [
  'name',
]);

export const keyRotationBody = requestBody(
  { newId: identifierRule, overlap: durationRule, expiresAt: instantRule },
  [],
);

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

export const webhookBody = requestBody(
  { id: identifierRule, url: webhookUrlRule, productId: identifierRule, types: eventTypesRule },
  ['url'],
);

export const secretRotationBody = requestBody({ overlap: durationRule }, []);

export const replayBody = requestBody({ productId: identifierRule, from: feedCursorRule }, ['productId', 'from']);

export const skipBody = requestBody({ productId: identifierRule, to: feedCursorRule, entitlementId: identifierRule }, [
  'productId',
  'to',
]);
