import { licenseKeyMaxLength, licenseKeyMinLength, licenseKeyRule } from '../../core/license/license-key.ts';
import { Refusal, type CommandRefusal, type RefusalDetails, type RequestRefusal } from '../../core/refusal.ts';

/** Why the transport refuses a request, before a use case runs. */
type TransportRefusal =
  | 'malformed_request'
  | 'invalid_host'
  | 'request_timeout'
  | 'payload_too_large'
  | 'body_too_fragmented'
  | 'too_many_bodies'
  | 'uri_too_long'
  | 'unsupported_media_type'
  | 'unsupported_content_coding'
  | 'expectation_failed'
  | 'headers_too_large'
  | 'transfer_encoding_unsupported'
  | 'http_version_unsupported'
  | 'not_found'
  | 'method_not_allowed'
  | 'unsupported_api_version'
  | 'retired_api_version'
  | 'rate_limited'
  | 'invalid_body'
  | 'idempotency_key_missing'
  | 'idempotency_key_invalid'
  | 'not_ready'
  | 'internal_error';

/** Why only an operation of the administration is refused. */
type AdministrationRefusal =
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

/** Refusals of what Stripe sends, and of what its buyers claim. */
type StripeRefusal = Extract<
  RequestRefusal,
  'invalid_signature' | 'malformed_checkout_session' | 'checkout_session_not_found' | 'stripe_unavailable'
>;

/** The values of the `Error-Code` header. */
export type ErrorCode = PublicRefusal | StripeRefusal | keyof typeof pageRefusals | AdministrationRefusal;

type PublicRefusal = Exclude<RequestRefusal, AdministrationRefusal | StripeRefusal> | TransportRefusal;

/** The status and the default message of the refusals of public operations. */
export const publicRefusals: Readonly<Record<PublicRefusal, readonly [status: number, message: string]>> = {
  malformed_request: [400, 'The request is not well-formed HTTP.'],
  invalid_host: [400, 'The request needs exactly one valid Host header.'],
  unsupported_api_version: [400, 'The API-Version header names no supported version.'],
  invalid_body: [400, 'The request body must be a JSON object.'],
  body_too_fragmented: [400, 'The request body comes in chunks of less than 64 bytes on average.'],
  malformed_license_key: [
    400,
    `licenseKey must be a string of ${licenseKeyMinLength} to ${licenseKeyMaxLength} characters.`,
  ],
  invalid_email: [400, 'email must be a valid e-mail address of at most 254 characters.'],
  invalid_cursor: [400, 'after must be the next of a page of this feed.'],
  idempotency_key_missing: [400, 'The Idempotency-Key header is missing.'],
  idempotency_key_invalid: [
    400,
    'The Idempotency-Key header must be sent once and hold 8 to 200 printable ASCII characters.',
  ],
  invalid_app_key: [401, 'A valid app API key is needed: Authorization: Bearer <API_KEY>.'],
  insufficient_scope: [403, 'The key lacks the scope that this operation needs.'],
  not_found: [404, 'Not found.'],
  entitlement_not_found: [404, 'Entitlement not found.'],
  license_not_found: [404, 'License not found.'],
  listing_not_found: [404, 'Listing not found.'],
  method_not_allowed: [405, 'This path does not support this method.'],
  request_timeout: [408, 'The request did not arrive in time.'],
  entitlement_ended: [409, 'The entitlement has ended.'],
  not_a_subscription: [409, 'The entitlement is not a subscription.'],
  no_access: [409, 'The license gives no access now.'],
  retired_api_version: [410, 'This API version has been retired.'],
  cursor_expired: [
    410,
    'Events after this cursor are no longer kept. Read the entitlements again, and start without after.',
  ],
  cursor_unknown: [
    410,
    'This cursor comes from another store, or from before a backup was restored. Read the entitlements again, and start without after.',
  ],
  precondition_failed: [
    412,
    'The entitlement is not in the state that the request demands. If-Match compares strongly: send the ETag without W/.',
  ],
  payload_too_large: [413, 'The request body must be at most 16 KiB.'],
  uri_too_long: [414, 'The request target must be at most 8,192 characters long.'],
  unsupported_media_type: [415, 'The request body must be application/json in UTF-8.'],
  unsupported_content_coding: [415, 'The request body must come without a content coding.'],
  expectation_failed: [417, 'Only the expectation 100-continue is supported.'],
  idempotency_key_reused: [422, 'The Idempotency-Key was used for another operation or entitlement.'],
  rate_limited: [429, 'Too many requests.'],
  too_many_changes: [429, 'Too many changes of this entitlement.'],
  headers_too_large: [431, 'The request has too many or too long header fields.'],
  internal_error: [500, 'Something went wrong on our side.'],
  store_unavailable: [500, 'The service cannot reach its data right now. Repeat the request.'],
  too_many_bodies: [500, 'The service is receiving too many request bodies right now. Repeat the request.'],
  clock_not_trusted: [500, 'The clock of the service is in doubt, so it signs nothing. Repeat the request.'],
  transfer_encoding_unsupported: [501, 'The only supported transfer coding is chunked.'],
  not_ready: [503, 'The service is not ready.'],
  http_version_unsupported: [505, 'The supported protocol versions are HTTP/1.0 and HTTP/1.1.'],
};

/** The refusals that only pages have. */
const pageRefusals = {
  foreign_origin: [403, 'The form was sent by a page of another site.'],
  insecure_connection: [403, 'The console needs TLS, or a browser on this machine.'],
  invalid_session: [401, 'You are not signed in.'],
  invalid_token: [403, 'The form does not belong to this session. Open the page again, and send it from there.'],
} as const;

/** The status and the default message of the refusals that only what Stripe sends can get. */
export const stripeRefusals: Readonly<Record<StripeRefusal, readonly [status: number, message: string]>> = {
  invalid_signature: [400, 'The Stripe-Signature header does not match this body and a current secret.'],
  malformed_checkout_session: [400, 'session_id must be given once, and be the id of a checkout session of Stripe.'],
  checkout_session_not_found: [404, 'There is nothing to claim with this session.'],
  stripe_unavailable: [500, 'Stripe or the store could not be reached. Repeat the request.'],
};

/** The status and the default message of the refusals that only the administration has. */
export const administrationRefusals: Readonly<
  Record<AdministrationRefusal, readonly [status: number, message: string]>
> = {
  invalid_parameter: [400, 'A parameter of the query is invalid.'],
  invalid_license_key: [400, `licenseKey ${licenseKeyRule.rule}.`],
  not_for_a_purchase: [400, 'A one-time purchase has no intervals, no grace and only one end.'],
  not_for_a_subscription: [400, 'The access of a subscription ends with its period and grace.'],
  invalid_operator_key: [401, 'A valid operator key is needed: Authorization: Bearer <OPERATOR_KEY>.'],
  product_not_found: [404, 'Product not found.'],
  app_key_not_found: [404, 'App key not found.'],
  operator_key_not_found: [404, 'Operator key not found.'],
  signing_key_not_found: [404, 'Signing key not found.'],
  webhook_not_found: [404, 'Webhook endpoint not found.'],
  app_key_exists: [409, 'Another app key has this id.'],
  app_key_ended: [409, 'The app key is revoked or has expired.'],
  operator_key_exists: [409, 'Another operator key has this id.'],
  operator_key_ended: [409, 'The operator key is revoked or has expired.'],
  expiry_too_early: [409, 'A key must expire later than now.'],
  entitlement_exists: [409, 'Another entitlement has this id.'],
  reference_exists: [409, 'Another entitlement of the product has this reference.'],
  entitlement_not_ended: [409, 'Only the license of an entitlement that has ended can move.'],
  entitlement_canceled: [409, 'The entitlement was canceled and has ended.'],
  entitlement_revoked: [409, 'The entitlement is revoked, which is final.'],
  entitlement_not_current: [409, 'Only an entitlement that is trialing or active can become past due.'],
  cancellation_scheduled: [409, 'A cancellation is scheduled; resume the entitlement before it is renewed.'],
  managed_by_stripe: [
    409,
    'Stripe decides the tier, the period and the payment of this subscription. Change them at Stripe; free days are trial days there.',
  ],
  period_end_too_early: [409, 'The period must end later than now and not before the present one.'],
  license_key_exists: [409, 'There is a license with this key already.'],
  listing_exists: [409, 'Another listing has this id.'],
  webhook_exists: [409, 'Another webhook endpoint has this id.'],
  webhook_disabled: [409, 'The webhook endpoint is disabled; enable it, which also retries.'],
  too_many_secrets: [
    409,
    'The webhook endpoint has ten valid secrets; wait until one of them ends, or rotate with a shorter overlap.',
  ],
  changed_meanwhile: [409, 'Others kept changing it until the deadline; nothing was done. Repeat the request.'],
};

/** The status and the default message of every refusal. */
export const refusals: Readonly<Record<ErrorCode, readonly [status: number, message: string]>> = {
  ...publicRefusals,
  ...pageRefusals,
  ...stripeRefusals,
  ...administrationRefusals,
};

/** The refusals that only an entitlement of the app key's product can get. */
export const refusalsOfKnownEntitlements: ReadonlySet<ErrorCode> = new Set([
  'entitlement_ended',
  'not_a_subscription',
  'precondition_failed',
  'too_many_changes',
]);

/** Makes a refusal of the transport, to be thrown. */
export function refuse(code: ErrorCode, details: RefusalDetails = {}): Refusal<ErrorCode> {
  return new Refusal(code, details);
}

/** Whether a thrown value is a refusal of the table above; anything else is a fault. */
export function isRefusal(error: unknown): error is Refusal<ErrorCode> {
  return error instanceof Refusal && isErrorCode(String(error.code));
}

/** Whether a code of core is in the table above: those of commands alone are not. */
function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(refusals, code);
}
