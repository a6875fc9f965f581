/** Why a request of the public interface is refused. The words for it belong to the adapter that answers. */
export type RequestRefusal =
  | 'invalid_app_key'
  | 'insufficient_scope'
  | 'malformed_license_key'
  | 'listing_not_found'
  | 'invalid_email'
  | 'entitlement_not_found'
  | 'entitlement_ended'
  | 'not_a_subscription'
  | 'idempotency_key_reused'
  | 'too_many_changes'
  | 'store_unavailable';

/** Why an administrator's command is refused. */
export type CommandRefusal =
  | 'product_exists'
  | 'product_not_found'
  | 'app_key_not_found'
  | 'app_key_ended'
  | 'entitlement_exists'
  | 'entitlement_not_found'
  | 'entitlement_canceled'
  | 'entitlement_ended'
  | 'entitlement_revoked'
  | 'entitlement_not_current'
  | 'cancellation_scheduled'
  | 'not_a_subscription'
  | 'period_end_too_early'
  | 'license_key_length'
  | 'license_key_exists'
  | 'license_not_found'
  | 'listing_not_found'
  | 'backup_exists'
  | 'backup_not_writable'
  | 'backup_unsupported'
  | 'copy_source_changed'
  | 'copy_target_used'
  | 'changed_meanwhile'
  | 'store_unavailable';

export type RefusalCode = RequestRefusal | CommandRefusal;

/** Details that a refusal's sentence may need: never a key, a license or an e-mail address. */
export interface RefusalDetails {
  /** When the same request can succeed. */
  readonly retryAt?: Date;
  /** What was missing (`insufficient_scope`). */
  readonly scope?: string;
  /** The sentence, where the code alone cannot tell which member breaks which bound. */
  readonly message?: string;
  /** What made it impossible, for the log only (`store_unavailable`). */
  readonly cause?: unknown;
}

/** The one way in which a use case says no. Anything else that is thrown is a fault. */
export class Refusal<Code extends string = RefusalCode> extends Error {
  readonly code: Code;
  readonly details: RefusalDetails;

  constructor(code: Code, details: RefusalDetails = {}) {
    super(code, { cause: details.cause });
    this.code = code;
    this.details = details;
  }
}
