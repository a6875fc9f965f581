import type { ErrorCode } from '../../../refusals.ts';
import { entitlements, licenses, pathParameter, type AdminDocs } from './admin-docs.ts';

const parameters = [pathParameter('id', 'The id of the entitlement.')];

/** The refusals of every change. */
const ofChanges: readonly ErrorCode[] = ['entitlement_not_found', 'changed_meanwhile'];

export const renewDocs: AdminDocs = {
  ...changeOf(
    'Renew a subscription.',
    'Ends the current period at a later instant, after which `grace` (24h by default) still gives access. The present end again changes nothing.',
    [
      'not_a_subscription',
      'entitlement_revoked',
      'entitlement_canceled',
      'cancellation_scheduled',
      'period_end_too_early',
    ],
  ),
  request: { schema: 'RenewalRequest', example: { currentPeriodEnd: '2026-09-18T12:00:00Z' } },
};

export const changeTierDocs: AdminDocs = {
  ...changeOf(
    'Change the tier of an entitlement.',
    'Keeps standing, hold, license and a scheduled cancellation, whose instant moves with a new end of the period. Members that are left out stay as they are, except that a `billingInterval` without a `billingIntervalCount` counts once. A purchase takes `tierId` and `tierName` only.',
    ['entitlement_ended', 'not_a_subscription', 'period_end_too_early'],
  ),
  request: { schema: 'TierRequest', example: { tierId: 'team', tierName: 'Team' } },
};

export const changeDocs = {
  'past-due': changeOf('Mark a subscription as past due.', 'For a payment that failed; access stays.', [
    'entitlement_ended',
    'entitlement_not_current',
  ]),
  suspend: changeOf('Suspend an entitlement.', 'Takes access away until it is reinstated.', ['entitlement_ended']),
  reinstate: changeOf(
    'Reinstate a suspended entitlement.',
    'Lifts the suspension by an operator; one by a payment stays. Anything but a suspended one stays as it is.',
    [],
  ),
  revoke: changeOf('Revoke an entitlement.', 'Ends it for good, also one that has ended.', []),
  cancel: changeOf('Cancel a subscription at the end of its period.', "As a merchant's server does.", [
    'entitlement_ended',
    'not_a_subscription',
  ]),
  resume: changeOf('Undo the cancellation of a subscription.', 'Possible until the period ends.', [
    'entitlement_ended',
    'not_a_subscription',
  ]),
} as const;

export const rotateLicenseDocs: AdminDocs = {
  tag: licenses,
  summary: 'Replace the license key of an entitlement.',
  description:
    'The old key is unknown from then on. With a `licenseKey` of its own making, a caller can repeat the request safely; without one, each request makes another key.',
  parameters,
  request: { schema: 'LicenseRotationRequest', example: { licenseKey: 'a-license-key-of-my-own-making' } },
  success: { description: 'The license key.', schema: 'LicenseKeyAnswer' },
  refusals: ['invalid_license_key', ...ofChanges, 'license_key_exists'],
};

export const revokeLicenseDocs: AdminDocs = {
  ...changeOf('Revoke the license of an entitlement.', 'The entitlement keeps its access otherwise.', [
    'license_not_found',
  ]),
  tag: licenses,
};

export const findDocs: AdminDocs = {
  tag: licenses,
  summary: 'Find the entitlement of a license key.',
  description: 'For a support desk. The key may be revoked.',
  request: { schema: 'LicenseSearch', example: { licenseKey: 'a-license-key-of-a-buyer' } },
  success: { description: 'The entitlement.', schema: 'FullEntitlementAnswer' },
  refusals: ['invalid_license_key', 'license_not_found'],
};

function changeOf(summary: string, description: string, refusals: readonly ErrorCode[]): AdminDocs {
  return {
    tag: entitlements,
    summary,
    description: `${description} Repeating it changes nothing.`,
    parameters,
    success: { description: 'The entitlement.', schema: 'EntitlementAnswer' },
    refusals: [...ofChanges, ...refusals],
  };
}
