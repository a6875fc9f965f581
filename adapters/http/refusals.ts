import { licenseKeyMaxLength, licenseKeyMinLength, licenseKeyRule } from '../../core/license/license-key.ts';
import {
  commandRefusals,
  Refusal,
  type RefusalDetails,
  type RefusalKind,
  type RequestRefusal,
} from '../../core/refusal.ts';

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
  | 'idempotency_key_missing'
  | 'idempotency_key_invalid'
  | 'not_ready'
  | 'internal_error';

/** Refusals of what Stripe sends, and of what its buyers claim. */
type StripeRefusal = Extract<
  RequestRefusal,
  'invalid_signature' | 'malformed_checkout_session' | 'checkout_session_not_found' | 'stripe_unavailable'
>;

/** The values of the `Error-Code` header. */
export type ErrorCode = PublicRefusal | StripeRefusal | keyof typeof pageRefusals | OperationRefusal;

/** Why an operation of the administration is refused. */
type OperationRefusal = keyof typeof commandRefusals | 'invalid_license_key' | 'mail_unavailable' | OfOperatorRequests;

type OfOperatorRequests = Extract<RequestRefusal, 'invalid_parameter' | 'invalid_operator_key'>;

type PublicRefusal =
  | Exclude<RequestRefusal, OfOperatorRequests | StripeRefusal | 'link_not_found' | 'mail_unavailable'>
  | TransportRefusal;

type StatusAndMessage = readonly [status: number, message: string];

/** The status and the default message of the refusals of public operations. */
export const publicRefusals: Readonly<Record<PublicRefusal, StatusAndMessage>> = {
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
  trial_not_offered: [404, 'The product offers no trial.'],
  listing_not_found: [404, 'Listing not found.'],
  method_not_allowed: [405, 'This path does not support this method.'],
  request_timeout: [408, 'The request did not arrive in time.'],
  entitlement_ended: [409, 'The entitlement has ended.'],
  not_a_subscription: [409, 'The entitlement is not a subscription.'],
  trial_ended: [409, 'The trial of the device has ended.'],
  no_access: [409, 'The license gives no access now.'],
  device_limit: [409, 'All devices of the license are in use. Release one, or name it in replace.'],
  device_offline: [409, 'The device has an offline receipt that has not ended, so only the seller can release it.'],
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
  too_many_releases: [429, 'Too many devices of this license were released lately.'],
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
  link_not_found: [404, 'This link has ended.'],
  foreign_origin: [403, 'The form was sent by a page of another site.'],
  insecure_connection: [403, 'The console needs TLS, or a browser on this machine.'],
  invalid_session: [401, 'You are not signed in.'],
  invalid_token: [403, 'The form does not belong to this session. Open the page again, and send it from there.'],
} as const;

/** The status and the default message of the refusals that only what Stripe sends can get. */
const stripeRefusals: Readonly<Record<StripeRefusal, StatusAndMessage>> = {
  invalid_signature: [400, 'The Stripe-Signature header does not match this body and a current secret.'],
  malformed_checkout_session: [400, 'session_id must be given once, and be the id of a checkout session of Stripe.'],
  checkout_session_not_found: [404, 'There is nothing to claim with this session.'],
  stripe_unavailable: [500, 'Stripe or the store could not be reached. Repeat the request.'],
};

const statuses: Readonly<Record<RefusalKind, number>> = { invalid: 400, forbidden: 403, missing: 404, conflict: 409 };

const ofCommands = Object.entries(commandRefusals).map(([code, [kind, message]]) => [code, [statuses[kind], message]]);

const ofOperations: Readonly<Record<OperationRefusal, StatusAndMessage>> = {
  invalid_parameter: [400, 'A parameter of the query is invalid.'],
  invalid_license_key: [400, `licenseKey ${licenseKeyRule.rule}.`],
  mail_unavailable: [500, 'The mail was not sent.'],
  invalid_operator_key: [401, 'A valid operator key is needed: Authorization: Bearer <OPERATOR_KEY>.'],
  ...Object.fromEntries(ofCommands),
};

/** The status and the default message of the refusals that only the administration has, in the order of their statuses. */
export const administrationRefusals = Object.fromEntries(
  Object.entries(ofOperations).toSorted(([, [one]], [, [other]]) => one - other),
) as typeof ofOperations;

/** The status and the default message of every refusal. */
export const refusals: Readonly<Record<ErrorCode, StatusAndMessage>> = {
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
