import { licenseKeyRule } from '../../../core/license/license-key.ts';
import { commandRefusals, type CommandRefusal, type Refusal, type RefusalCode } from '../../../core/refusal.ts';

type WithDefault = keyof typeof commandRefusals;

/** The messages of the command line where the default does not fit. They name no key, license or address. */
const ownMessages: Record<Exclude<CommandRefusal, WithDefault>, string> & Partial<Record<WithDefault, string>> = {
  product_exists: 'There is a product with this id already.',
  product_not_found: 'There is no product with this id.',
  app_key_exists: 'There is an app key with this id already, of another product or with other scopes.',
  app_key_not_found: 'There is no app key with this id.',
  app_key_ended: 'The app key is revoked or has expired; issue a new one instead.',
  operator_key_exists: 'There is an operator key with this id already, with another name or other scopes.',
  operator_key_not_found: 'There is no operator key with this id.',
  operator_key_ended: 'The operator key is revoked or has expired; issue a new one instead.',
  limited_key: 'A key that is limited to products cannot have the scope admin:waitlist, which belongs to none of them.',
  entitlement_exists: 'There is an entitlement with this id already.',
  reference_exists: 'Another entitlement of the product has this reference already.',
  not_for_a_subscription: 'The access of a subscription ends with its period and grace, not at an instant of its own.',
  entitlement_not_found: 'There is no entitlement with this id.',
  entitlement_canceled: 'The entitlement was canceled and has ended; grant a new one instead.',
  entitlement_ended: 'The entitlement has ended.',
  entitlement_revoked: 'The entitlement is revoked, which is final; grant a new one instead.',
  not_a_subscription:
    'The entitlement is a one-time purchase, which has no interval to change, nothing to cancel and, without an end, nothing to renew.',
  period_end_too_early: 'The new end must be later than now and, in a renewal, later than the present end.',
  invalid_license_key: `A license key ${licenseKeyRule.rule}.`,
  invalid_email: 'The address must be one e-mail address in ASCII, without a name.',
  mail_unavailable: 'The mail was not sent.',
  license_not_found: 'There is no such license.',
  no_access: 'The entitlement gives no access now, so there is nothing to sign.',
  device_limit:
    'All devices of the license are in use; release one with device release, or change the limit with entitlement allow.',
  signing_key_not_found: 'There is no such signing key, or it was never active.',
  webhook_exists: 'There is a webhook endpoint with this id already, with another URL, product or types.',
  webhook_not_found: 'There is no webhook endpoint with this id.',
  webhook_disabled: 'The webhook endpoint is disabled; enable it with webhook enable, which also retries.',
  too_many_secrets:
    'The webhook endpoint has ten valid secrets; wait until one of them ends, or rotate with a shorter --overlap.',
  invalid_cursor: 'The cursor must be the next of a page of the feed.',
  cursor_expired: 'Events after this cursor are no longer kept.',
  cursor_unknown: 'The cursor comes from another store or another product, or from before a backup was restored.',
  listing_exists: 'There is another listing with this id already.',
  listing_not_found: 'There is no listing with this slug.',
  clock_ahead:
    'The clock of this machine is far ahead of the time at which a server last used the store; nothing was removed. If the clock is right, start a server, or add --accept-clock.',
  clock_not_trusted:
    'The clock of this machine is far ahead of what the store knows of the time; nothing was done. If the clock is right, start a server.',
  backup_exists: 'There is a file with the name of the backup already; nothing was written.',
  backup_not_writable: 'The backup cannot be written there: its folder must exist, be writable and have room.',
  backup_unsupported: 'This store is not one file; back it up with a tool of its own, such as mongodump for MongoDB.',
  copy_target_used: 'The store to copy to is not empty; nothing was done. To go on with a copy, add --resume.',
  copy_source_changed:
    'The store to copy from was changed meanwhile; stop what writes to it and run again with --resume.',
  changed_meanwhile: 'Others kept changing it until the deadline; nothing was done. Try again.',
  stripe_unavailable:
    'Stripe did not answer, or refused the key. What was done before is kept: run stripe check, and then try again.',
  store_unavailable:
    'The store did not answer in time. Whether anything was done is unknown: look before you try again.',
};

const defaults = Object.entries(commandRefusals).map(([code, [, message]]) => [code, message]);

/** The messages of refused commands. */
export const refusalMessages = { ...Object.fromEntries(defaults), ...ownMessages } as Record<CommandRefusal, string>;

/** The message of a refusal, or undefined for one that commands never meet. */
export function refusalMessage(code: RefusalCode): string | undefined {
  return new Map<string, string>(Object.entries(refusalMessages)).get(code);
}

const withOwn: ReadonlySet<RefusalCode> = new Set(['mail_unavailable', 'invalid_body', 'promotion_not_found']);

/** The message of a refusal; of a mail that was not sent, of what does not fit and of missing terms, the reason. */
export function messageOf({ code, details }: Refusal): string | undefined {
  return (withOwn.has(code) ? details.message : undefined) ?? refusalMessage(code);
}
