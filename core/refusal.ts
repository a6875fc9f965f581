/** Why a request is refused, before or by a use case of the public interface. The transport has the messages. */
export type RequestRefusal =
  | 'invalid_app_key'
  | 'invalid_operator_key'
  | 'invalid_parameter'
  | 'invalid_body'
  | 'insufficient_scope'
  | 'malformed_license_key'
  | 'license_not_found'
  | 'link_not_found'
  | 'no_access'
  | 'trial_not_offered'
  | 'trial_ended'
  | 'device_limit'
  | 'device_offline'
  | 'too_many_releases'
  | 'clock_not_trusted'
  | 'listing_not_found'
  | 'invalid_email'
  | 'mail_unavailable'
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

/** The kind of a refusal: a wrong value, a wrong caller, an unknown name, or the state of the thing that was named. */
export type RefusalKind = 'invalid' | 'forbidden' | 'missing' | 'conflict';

/** Why only the administration refuses, with the default message. */
export const commandRefusals = {
  not_for_a_purchase: ['invalid', 'A one-time purchase has no intervals, no grace and only one end.'],
  not_for_a_subscription: ['invalid', 'The access of a subscription ends with its period and grace.'],
  limited_key: ['forbidden', 'The key is limited to products, and this belongs to none of them.'],
  product_not_found: ['missing', 'Product not found.'],
  tier_not_found: ['missing', 'Tier not found: it is not declared.'],
  trial_not_found: ['missing', 'Trial not found.'],
  trial_exists: ['conflict', 'Another tier of the product has a trial.'],
  trial_too_long: ['conflict', 'A trial ends at most 90 days after now.'],
  app_key_not_found: ['missing', 'App key not found.'],
  operator_key_not_found: ['missing', 'Operator key not found.'],
  signing_key_not_found: ['missing', 'Signing key not found.'],
  webhook_not_found: ['missing', 'Webhook endpoint not found.'],
  affiliate_not_found: ['missing', 'Affiliate not found.'],
  promotion_not_found: ['missing', 'Promotion not found.'],
  sale_not_found: ['missing', 'No affiliate has brought this entitlement.'],
  statement_not_found: ['missing', 'Statement not found.'],
  signup_not_found: ['missing', 'The waitlist has no entry of this address.'],
  not_sold_by_stripe: ['missing', 'Stripe does not sell this entitlement.'],
  app_key_exists: ['conflict', 'Another app key has this id.'],
  app_key_ended: ['conflict', 'The app key is revoked or has expired.'],
  operator_key_exists: ['conflict', 'Another operator key has this id.'],
  operator_key_ended: ['conflict', 'The operator key is revoked or has expired.'],
  expiry_too_early: ['conflict', 'A key must expire later than now.'],
  entitlement_exists: ['conflict', 'Another entitlement has this id.'],
  reference_exists: ['conflict', 'Another entitlement of the product has this reference.'],
  entitlement_not_ended: ['conflict', 'Only the license of an entitlement that has ended can move.'],
  entitlement_canceled: ['conflict', 'The entitlement was canceled and has ended.'],
  entitlement_revoked: ['conflict', 'The entitlement is revoked, which is final.'],
  entitlement_not_current: ['conflict', 'Only an entitlement that is trialing or active can become past due.'],
  cancellation_scheduled: ['conflict', 'A cancellation is scheduled; resume the entitlement before it is renewed.'],
  managed_by_stripe: [
    'conflict',
    'Stripe decides the tier, the period, the payment and a mapped limit of devices of this subscription. Change them at Stripe; free days are trial days there.',
  ],
  period_end_too_early: ['conflict', 'The period must end later than now and not before the present one.'],
  license_key_unknown: [
    'conflict',
    'The key is not known here: it was replaced, or Stripe does not sell the entitlement. Mail a link.',
  ],
  buyer_address_unknown: ['conflict', 'Stripe has no address of the buyer, or does not sell the entitlement. Name it.'],
  license_key_exists: ['conflict', 'There is a license with this key already.'],
  listing_exists: ['conflict', 'Another listing has this id.'],
  affiliate_exists: ['conflict', 'The address belongs to another affiliate.'],
  affiliate_ended: ['conflict', 'The affiliate has ended.'],
  handle_taken: ['conflict', 'Another affiliate has this handle, or had it: it is never given twice.'],
  code_exists: ['conflict', 'Another promotion of the product has one of these codes.'],
  listing_not_promotable: ['conflict', 'The listing takes no affiliates, or not for the product of this promotion.'],
  sale_attributed: ['conflict', 'The sale is known with another affiliate, currency or instant.'],
  sale_stated: ['conflict', 'A statement has a line of the sale: it stays that of its affiliate.'],
  too_many_promotions: ['conflict', 'An affiliate has at most 200 promotions.'],
  too_many_codes: ['conflict', 'A promotion has at most 20 codes.'],
  too_many_terms: ['conflict', 'The terms of a promotion change at most 49 times.'],
  month_not_over: ['conflict', 'The month is not over yet, by UTC.'],
  statement_paid: ['conflict', 'The statement was paid otherwise: take that back first.'],
  nothing_to_pay: ['conflict', 'The balance of the statement is not above 0.'],
  too_many_features: ['conflict', 'An entitlement has at most 50 features of its own, and 512 bytes of them as JSON.'],
  webhook_exists: ['conflict', 'Another webhook endpoint has this id.'],
  webhook_disabled: ['conflict', 'The webhook endpoint is disabled; enable it, which also retries.'],
  too_many_secrets: [
    'conflict',
    'The webhook endpoint has ten valid secrets; wait until one of them ends, or rotate with a shorter overlap.',
  ],
  changed_meanwhile: ['conflict', 'Others kept changing it until the deadline; nothing was done. Repeat the request.'],
} as const satisfies Readonly<Record<string, readonly [kind: RefusalKind, message: string]>>;

/** Why an administrator's command or request is refused. */
export type CommandRefusal =
  | keyof typeof commandRefusals
  | 'product_exists'
  | 'invalid_license_key'
  | 'clock_ahead'
  | 'backup_exists'
  | 'backup_not_writable'
  | 'backup_unsupported'
  | 'copy_source_changed'
  | 'copy_target_used'
  | Extract<
      RequestRefusal,
      | 'entitlement_not_found'
      | 'entitlement_ended'
      | 'not_a_subscription'
      | 'license_not_found'
      | 'no_access'
      | 'device_limit'
      | 'listing_not_found'
      | 'invalid_email'
      | 'mail_unavailable'
      | 'invalid_cursor'
      | 'cursor_expired'
      | 'cursor_unknown'
      | 'clock_not_trusted'
      | 'stripe_unavailable'
      | 'store_unavailable'
    >;

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

/** Whole seconds until the same request can succeed, at least 1; 1 where the refusal does not say it. */
export function retrySeconds({ retryAt }: RefusalDetails, now: Date): number {
  return retryAt === undefined ? 1 : Math.max(1, Math.ceil((retryAt.getTime() - now.getTime()) / 1000));
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
