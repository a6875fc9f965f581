import { licenseKeyRule } from '../../core/license/license-key.ts';
import type { CommandRefusal, RequestRefusal } from '../../core/refusal.ts';

/** Why only an operation of the administration is refused. */
export type AdministrationRefusal =
  | Extract<RequestRefusal, 'invalid_parameter' | 'invalid_operator_key'>
  | Exclude<CommandRefusal, RequestRefusal | OfCommandsOnly>;

/** Refusals of commands that are no operations over HTTP. */
type OfCommandsOnly =
  | 'product_exists'
  | 'clock_ahead'
  | 'backup_exists'
  | 'backup_not_writable'
  | 'backup_unsupported'
  | 'copy_source_changed'
  | 'copy_target_used';

/** The status and the default message of the refusals that only the administration has. */
export const administrationRefusals: Readonly<
  Record<AdministrationRefusal, readonly [status: number, message: string]>
> = {
  invalid_parameter: [400, 'A parameter of the query is invalid.'],
  invalid_license_key: [400, `licenseKey ${licenseKeyRule.rule}.`],
  not_for_a_purchase: [400, 'A one-time purchase has no end of a period and no grace.'],
  invalid_operator_key: [401, 'A valid operator key is needed: Authorization: Bearer <OPERATOR_KEY>.'],
  product_not_found: [404, 'Product not found.'],
  app_key_not_found: [404, 'App key not found.'],
  operator_key_not_found: [404, 'Operator key not found.'],
  license_not_found: [404, 'License not found.'],
  webhook_not_found: [404, 'Webhook endpoint not found.'],
  app_key_exists: [409, 'Another app key has this id.'],
  app_key_ended: [409, 'The app key is revoked or has expired.'],
  operator_key_exists: [409, 'Another operator key has this id.'],
  operator_key_ended: [409, 'The operator key is revoked or has expired.'],
  expiry_too_early: [409, 'A key must expire later than now.'],
  entitlement_exists: [409, 'Another entitlement has this id.'],
  reference_exists: [409, 'Another entitlement of the product has this reference.'],
  entitlement_canceled: [409, 'The entitlement was canceled and has ended.'],
  entitlement_revoked: [409, 'The entitlement is revoked, which is final.'],
  entitlement_not_current: [409, 'Only an entitlement that is trialing or active can become past due.'],
  cancellation_scheduled: [409, 'A cancellation is scheduled; resume the entitlement before it is renewed.'],
  period_end_too_early: [409, 'The period must end later than now and not before the present one.'],
  license_key_exists: [409, 'There is a license with this key already.'],
  listing_exists: [409, 'Another listing has this id.'],
  webhook_exists: [409, 'Another webhook endpoint has this id.'],
  webhook_disabled: [409, 'The webhook endpoint is disabled; enable it, which also retries.'],
  too_many_secrets: [
    409,
    'Ten secrets of the webhook endpoint are good; wait until one of them ends, or rotate with a shorter overlap.',
  ],
  changed_meanwhile: [409, 'Others kept changing it until the deadline; nothing was done. Repeat the request.'],
};
