import type { Call } from '../../../core/call.ts';
import type { Refusal, RefusalDetails } from '../../../core/refusal.ts';
import { noStore, type Answer } from '../answer.ts';
import { challenge } from './bearer.ts';
import { refusals, type ErrorCode } from '../refusals.ts';
import type { Operation } from '../operations/operation.ts';
import { errorBody, verificationErrorBody } from '../operations/views.ts';
import { supportedMethods, type Match } from './router.ts';

/** What the answer to a refused request depends on: an `Exchange`, or what could be read of a broken request. */
export interface RefusedRequest {
  readonly match: Match | null;
  readonly operation: Operation | null;
  readonly call: Pick<Call, 'correlationId' | 'now'>;
  /** Whether it brought a Bearer credential that was looked at. */
  readonly hasBearer: boolean;
}

/** Answers a refusal in the shape of the operation. `metadataUrl` is where the RFC 9728 metadata is served. */
export function errorAnswer(
  { code, details }: Refusal<ErrorCode>,
  request: RefusedRequest,
  metadataUrl: () => string,
): Answer {
  const [status, defaultMessage] = refusals[code];
  const message = details.message ?? defaultMessage;
  const isVerification = request.operation?.errors === 'verification';
  const body = isVerification ? verificationErrorBody(message) : errorBody(message, request.call.correlationId);
  const more = headerSources[code]?.(details, request, metadataUrl) ?? [];
  return { status, body, cacheControl: noStore, headers: ['Error-Code', code, ...more], errorCode: code };
}

type HeaderSource = (details: RefusalDetails, request: RefusedRequest, metadataUrl: () => string) => readonly string[];

const retryAfter: HeaderSource = ({ retryAt }, { call }) => [
  'Retry-After',
  String(retryAt === undefined ? 1 : Math.max(1, Math.ceil((retryAt.getTime() - call.now.getTime()) / 1000))),
];

/** The header fields that some refusals have in addition to `Error-Code`. */
const headerSources: Partial<Readonly<Record<ErrorCode, HeaderSource>>> = {
  invalid_app_key: (_details, { hasBearer }, metadataUrl) => [
    'WWW-Authenticate',
    challenge(metadataUrl(), hasBearer ? { error: 'invalid_token' } : {}),
  ],
  insufficient_scope: ({ scope = '' }, _request, metadataUrl) => [
    'WWW-Authenticate',
    challenge(metadataUrl(), { error: 'insufficient_scope', scope }),
  ],
  method_not_allowed: (_details, { match }) => ['Allow', match?.route.allow ?? supportedMethods],
  unsupported_media_type: () => ['Accept', 'application/json'], // RFC 9110 §15.5.16
  unsupported_content_coding: () => ['Accept-Encoding', 'identity'],
  not_ready: retryAfter,
  store_unavailable: retryAfter,
  too_many_changes: retryAfter,
  rate_limited: retryAfter,
};
