/** Why a request is refused, before or by a use case of the public interface. The transport has the messages. */
export type RequestRefusal =
  | 'invalid_app_key'
  | 'invalid_operator_key'
  | 'invalid_parameter'
  | 'insufficient_scope'
  | 'malformed_license_key'
  | 'license_not_found'
  | 'no_access'
  | 'clock_not_trusted'
  | 'listing_not_found'
  | 'invalid_email'
  | 'invalid_cursor'
  | 'cursor_expired'
  | 'cursor_unknown'
  | 'entitlement_not_found'
  | 'entitlement_ended'
  | 'not_a_subscription'
  | 'precondition_failed'
  | 'idempotency_key_reused'
  | 'too_many_changes'
  | 'invalid_signature'
  | 'malformed_checkout_session'
  | 'checkout_session_not_found'
  | 'stripe_unavailable'
  | 'store_unavailable';

/** Why an administrator's command or request is refused. */
export type CommandRefusal =
  | 'product_exists'
  | 'product_not_found'
  | 'app_key_exists'
  | 'app_key_not_found'
  | 'app_key_ended'
  | 'operator_key_exists'
  | 'operator_key_not_found'
  | 'operator_key_ended'
  | 'expiry_too_early'
  | 'entitlement_exists'
  | 'reference_exists'
  | 'not_for_a_purchase'
  | 'not_for_a_subscription'
  | 'entitlement_not_found'
  | 'entitlement_canceled'
  | 'entitlement_ended'
  | 'entitlement_not_ended'
  | 'entitlement_revoked'
  | 'entitlement_not_current'
  | 'cancellation_scheduled'
  | 'not_a_subscription'
  | 'managed_by_stripe'
  | 'period_end_too_early'
  | 'invalid_license_key'
  | 'license_key_exists'
  | 'license_not_found'
  | 'no_access'
  | 'signing_key_not_found'
  | 'listing_exists'
  | 'listing_not_found'
  | 'webhook_exists'
  | 'webhook_not_found'
  | 'webhook_disabled'
  | 'too_many_secrets'
  | 'invalid_cursor'
  | 'cursor_expired'
  | 'cursor_unknown'
  | 'clock_ahead'
  | 'clock_not_trusted'
  | 'backup_exists'
  | 'backup_not_writable'
  | 'backup_unsupported'
  | 'copy_source_changed'
  | 'copy_target_used'
  | 'changed_meanwhile'
  | 'stripe_unavailable'
  | 'store_unavailable';

export type RefusalCode = RequestRefusal | CommandRefusal;

/** Details for the message of a refusal. Never contains a key, a license or an e-mail address. */
export interface RefusalDetails {
  /** The earliest instant at which the same request can succeed. */
  readonly retryAt?: Date;
  /** The missing scope (`insufficient_scope`). */
  readonly scope?: string;
  /** Replaces the default message, if the code alone does not say which member breaks which bound. */
  readonly message?: string;
  /** The cause, for the log only (`store_unavailable`). */
  readonly cause?: unknown;
}

/** The only error by which a use case refuses. Anything else that it throws is a fault. */
export class Refusal<Code extends string = RefusalCode> extends Error {
  readonly code: Code;
  readonly details: RefusalDetails;

  constructor(code: Code, details: RefusalDetails = {}) {
    super(code, { cause: details.cause });
    this.code = code;
    this.details = details;
  }
}
