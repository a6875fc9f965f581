import type { Refusal, RefusalDetails } from '../../../core/refusal.ts';
import { noStore, type Answer } from '../answer.ts';
import { challenge } from './bearer.ts';
import type { Exchange } from './exchange.ts';
import { refusals, type ErrorCode } from '../refusals.ts';
import { errorBody, verificationErrorBody } from '../operations/views.ts';

/** What the answer of a refusal depends on, besides the refusal. */
export interface ErrorContext {
  readonly shape: 'standard' | 'verification';
  readonly correlationId: string;
  readonly now: Date;
  /** Where the RFC 9728 metadata stands. */
  readonly metadataUrl: () => string;
  /** Whether the request came with a Bearer credential that was looked at. */
  readonly presented: boolean;
  /** The value of `Allow` on a known path. */
  readonly allow: string | null;
}

/** What the answer of a refusal depends on, of an exchange. */
export function contextOf(exchange: Exchange, metadataUrl: () => string): ErrorContext {
  return {
    shape: exchange.operation?.errors ?? 'standard',
    correlationId: exchange.call.correlationId,
    now: exchange.call.now,
    metadataUrl,
    presented: exchange.presented,
    allow: exchange.match?.route.allow ?? null,
  };
}

/** The answer of a refusal, in the operation's shape. */
export function errorAnswer(refusal: Refusal<ErrorCode>, context: ErrorContext): Answer {
  const [status, usual] = refusals[refusal.code];
  const message = refusal.details.message ?? usual;
  const body =
    context.shape === 'verification' ? verificationErrorBody(message) : errorBody(message, context.correlationId);
  const more = headerSources[refusal.code]?.(refusal.details, context) ?? [];
  return { status, body, cacheControl: noStore, headers: ['Error-Code', refusal.code, ...more] };
}

type HeaderSource = (details: RefusalDetails, context: ErrorContext) => readonly string[];

const retryAfter: HeaderSource = ({ retryAt }, { now }) => [
  'Retry-After',
  String(retryAt === undefined ? 1 : Math.max(1, Math.ceil((retryAt.getTime() - now.getTime()) / 1000))),
];

/** The header fields that some refusals have besides `Error-Code`. */
const headerSources: Partial<Readonly<Record<ErrorCode, HeaderSource>>> = {
  invalid_app_key: (_details, { metadataUrl, presented }) => [
    'WWW-Authenticate',
    challenge(metadataUrl(), presented ? { error: 'invalid_token' } : {}),
  ],
  insufficient_scope: ({ scope = '' }, { metadataUrl }) => [
    'WWW-Authenticate',
    challenge(metadataUrl(), { error: 'insufficient_scope', scope }),
  ],
  method_not_allowed: (_details, { allow }) => (allow === null ? [] : ['Allow', allow]),
  unsupported_media_type: () => ['Accept', 'application/json'], // RFC 9110 §15.5.16
  unsupported_content_coding: () => ['Accept-Encoding', 'identity'],
  not_ready: retryAfter,
  store_unavailable: retryAfter,
  too_many_changes: retryAfter,
  rate_limited: retryAfter,
};
