import type { Call } from '../../../core/call.ts';
import { retrySeconds, type Refusal, type RefusalDetails } from '../../../core/refusal.ts';
import { noStore, type Answer } from '../answer.ts';
import type { Operation, RequestSession } from '../operations/operation.ts';
import { errorBody, verificationErrorBody } from '../operations/views.ts';
import { refusals, type ErrorCode } from '../refusals.ts';
import { formType } from './body.ts';
import { challenge } from './header-fields.ts';
import type { Match } from './router.ts';

/** The facts for the answer to a refused request: an `Exchange`, or the readable part of a broken request. */
export interface RefusedRequest {
  /** As it was sent; null where it could not be read. */
  readonly path: string | null;
  readonly match: Match | null;
  readonly operation: Operation | null;
  readonly call: Pick<Call, 'correlationId' | 'now'>;
  /** Whether it brought a Bearer credential that was looked at. */
  readonly hasBearer: boolean;
  /** Null without one that is open, and where none is looked for. */
  readonly session: RequestSession | null;
  /** The `Accept` field; undefined where it could not be read. */
  readonly accept: string | undefined;
}

/** A refusal as a page shows it. */
export interface RefusalToShow {
  readonly code: ErrorCode;
  readonly status: number;
  readonly message: string;
  readonly correlationId: string;
  /** The scope that the key lacks; null for every other reason. */
  readonly scope: string | null;
  /** The page that was asked for; null where none has the path. */
  readonly asked: { readonly pattern: string; readonly path: string } | null;
  /** The path as it was sent, known or not; null where it could not be read. */
  readonly path: string | null;
  readonly session: RequestSession | null;
  readonly now: Date;
}

/** The answers of a port with pages to browsers. */
export interface PagesOfPort {
  /** Whether a client prefers a page to JSON, by its `Accept` field. */
  readonly preferred: (accept: string | undefined) => boolean;
  /** Renders a refusal as a page. */
  readonly refusal: (refusal: RefusalToShow) => Omit<Answer, 'status' | 'errorCode'>;
}

/** The facts about the port in answers to refused requests. */
export interface PortFacts {
  /** Null if the port has none. */
  readonly pages: PagesOfPort | null;
  /** Where the RFC 9728 metadata is served; null if the port has none. */
  readonly metadataUrl: (() => string) | null;
  /** The methods of all operations: the `Allow` of CONNECT and of `OPTIONS *`. */
  readonly allow: string;
}

/** Answers a refusal in the shape of the operation. */
export function errorAnswer({ code, details }: Refusal<ErrorCode>, request: RefusedRequest, port: PortFacts): Answer {
  const [status, defaultMessage] = refusals[code];
  const message = details.message ?? defaultMessage;
  const more = headerSources[code]?.(details, request, port) ?? [];
  const fields = { status, headers: ['Error-Code', code, ...more], errorCode: code };
  const { correlationId, now } = request.call;
  if (port.pages !== null && isForPage(request, port.pages)) {
    const { session, path } = request;
    const scope = details.scope ?? null;
    const asked = askedPage(request);
    const shown = { code, status, message, correlationId, scope, asked, path, session, now };
    const { headers = [], ...page } = port.pages.refusal(shown);
    return { ...page, ...fields, headers: [...headers, ...fields.headers] };
  }
  const isVerification = request.operation?.errors === 'verification';
  const body = isVerification ? verificationErrorBody(message) : errorBody(message, correlationId);
  return { body, cacheControl: noStore, ...fields };
}

function askedPage({ match, operation }: RefusedRequest): RefusalToShow['asked'] {
  if (match === null) return null;
  const pattern = operation?.path ?? match.route.path;
  const path = pattern.replaceAll(/:(\w+)/g, (_whole, name: string) =>
    encodeURIComponent(match.parameters[name] ?? ''),
  );
  return { pattern, path };
}

/** Whether a page was asked for: by its operation, or by a browser that met a path or a method without any. */
function isForPage({ match, operation, accept }: RefusedRequest, pages: PagesOfPort): boolean {
  if (operation !== null) return operation.errors === 'page';
  const isOfPages = match === null || [...match.route.operations.values()].every(({ errors }) => errors === 'page');
  return isOfPages && pages.preferred(accept);
}

type HeaderSource = (details: RefusalDetails, request: RefusedRequest, port: PortFacts) => readonly string[];

const retryAfter: HeaderSource = (details, { call }) => ['Retry-After', String(retrySeconds(details, call.now))];

const invalidKey: HeaderSource = (_details, { hasBearer }, { metadataUrl }) => [
  'WWW-Authenticate',
  challenge(metadataUrl?.() ?? null, hasBearer ? { error: 'invalid_token' } : {}),
];

/** The header fields that some refusals have in addition to `Error-Code`. */
const headerSources: Partial<Readonly<Record<ErrorCode, HeaderSource>>> = {
  invalid_app_key: invalidKey,
  invalid_operator_key: invalidKey,
  invalid_session: invalidKey,
  insufficient_scope: ({ scope = '' }, _request, { metadataUrl }) => [
    'WWW-Authenticate',
    challenge(metadataUrl?.() ?? null, { error: 'insufficient_scope', scope }),
  ],
  limited_key: (_details, _request, { metadataUrl }) => [
    'WWW-Authenticate',
    challenge(metadataUrl?.() ?? null, { error: 'insufficient_scope' }),
  ],
  method_not_allowed: (_details, { match }, { allow }) => ['Allow', match?.route.allow ?? allow],
  unsupported_media_type: (_details, { operation }) => [
    'Accept', // RFC 9110 §15.5.16
    operation?.body === 'form' ? formType : 'application/json',
  ],
  unsupported_content_coding: () => ['Accept-Encoding', 'identity'],
  not_ready: retryAfter,
  store_unavailable: retryAfter,
  too_many_bodies: retryAfter,
  clock_not_trusted: retryAfter,
  too_many_changes: retryAfter,
  too_many_releases: retryAfter,
  rate_limited: retryAfter,
};
