import type { Logger } from 'pino';
import type { Call } from '../../../core/call.ts';
import { foldedKey } from '../../../core/license/folded-key.ts';
import type { Answer } from '../answer.ts';
import { currentEdition } from '../editions.ts';
import { originForm } from '../exchange/conformance.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { traceOf } from '../exchange/header-fields.ts';
import type { Match } from '../exchange/router.ts';
import { refusalsOfKnownEntitlements, type ErrorCode } from '../refusals.ts';
import type { UnparsedAnswer, UnparsedRequest } from './unparsed-request.ts';

/** The outcome of a request, for the log and the metrics. It contains no key, license or address. */
export interface RequestOutcome {
  readonly correlationId: string;
  /** The caller's trace, if it sent one. */
  readonly traceId: string | undefined;
  /** Undefined if the request line could not be read, as are `route` and `operation`. */
  readonly method: string | undefined;
  /** The pattern of the path, or the beginning of an unknown path. */
  readonly route: string | undefined;
  readonly operation: string | undefined;
  readonly edition: string;
  readonly product: string | null;
  /** The entitlement that the request was about, if it was found. */
  readonly entitlementId: string | undefined;
  /** Null for a client that went away before its request was complete. */
  readonly status: number | null;
  readonly errorCode: ErrorCode | undefined;
  /** Milliseconds, without those of `held`. */
  readonly duration: number;
  /** Milliseconds for which it was held until there was something to answer; undefined if it was not. */
  readonly held: number | undefined;
  readonly replayed: boolean;
}

/** Reports requests to the log and to an observer. */
export class RequestLog {
  readonly #log: Logger;
  readonly #observe: ((outcome: RequestOutcome) => void) | undefined;

  constructor(log: Logger, observe: ((outcome: RequestOutcome) => void) | undefined) {
    this.#log = log;
    this.#observe = observe;
  }

  /** Writes the one line of a request, when it is over. The edition is left out if it is the current one. */
  request(outcome: RequestOutcome): void {
    this.#log.info(lineOf(outcome), 'request');
    this.#observe?.(outcome);
  }

  /** Writes what went wrong in the service, before or after the request was answered. */
  fault({ correlationId, trace }: Call, code: ErrorCode, err: unknown): void {
    this.#log.error({ correlationId, traceId: trace?.id, err }, code);
  }
}

/** The members of a line. They are named one by one because a copy without some of them takes ten times as long. */
function lineOf(outcome: RequestOutcome): object {
  const { edition } = outcome;
  const line = {
    correlationId: outcome.correlationId,
    traceId: outcome.traceId,
    method: outcome.method,
    route: outcome.route,
    operation: outcome.operation,
    product: outcome.product,
    entitlementId: outcome.entitlementId,
    status: outcome.status,
    errorCode: outcome.errorCode,
    duration: outcome.duration,
    held: outcome.held,
  } satisfies Record<Exclude<keyof RequestOutcome, 'edition' | 'replayed'>, unknown>;
  return edition === currentEdition ? line : { ...line, edition };
}

/** The outcome of an exchange. Status and answer are null if it could not be answered. */
export function outcomeOf(exchange: Exchange, status: number | null, answer: Answer | null): RequestOutcome {
  const { request, match, call, operation } = exchange;
  const errorCode = answer?.errorCode;
  const isKnown = errorCode !== undefined && refusalsOfKnownEntitlements.has(errorCode);
  return {
    correlationId: call.correlationId,
    traceId: call.trace?.id,
    method: request.method,
    route: match === null ? loggedPath(request.url ?? '') : match.route.path,
    operation: operation?.id,
    edition: exchange.edition?.date ?? currentEdition,
    product: exchange.productId,
    entitlementId: isKnown ? match?.parameters['id'] : answer?.entitlementId,
    status,
    errorCode,
    duration: rounded(performance.now() - exchange.startedAt - (exchange.held ?? 0)),
    held: exchange.held === null ? undefined : rounded(exchange.held),
    replayed: answer?.replayed === true,
  };
}

/** Rounds to microseconds. */
function rounded(milliseconds: number): number {
  return Math.round(milliseconds * 1000) / 1000;
}

/** The outcome of a request that never became an exchange. */
export function unparsedOutcomeOf(
  { code, head, request }: UnparsedRequest,
  { answer, correlationId, operation }: UnparsedAnswer,
  match: Match | null,
): RequestOutcome {
  return {
    correlationId,
    traceId: traceOf(request?.headers['traceparent'])?.id,
    method: head?.method,
    route: head === null ? undefined : (match?.route.path ?? loggedPath(head.target)),
    operation,
    edition: currentEdition,
    product: null,
    entitlementId: undefined,
    status: answer.status,
    errorCode: code,
    duration: 0,
    held: undefined,
    replayed: false,
  };
}

/** Characters of an unknown path that are logged. */
const maxPathLength = 64;
/** More than is shown, so that a secret that begins within the first 64 characters is recognized. */
const maxScanned = 256;

/** Forms of keys of apps, operators and Stripe, e-mail addresses, issued license keys and checkout sessions. */
const secretForm = /svc_(?:sk|op)_|[sr]k_(?:live|test)_|whsec_|@|(?<![0-9a-z])lk[\s+-]*[0-9a-z]{5}|cs_/i;

/** As long as an imported license key is at least. */
const longText = /[\w-]{24,}/g;

/**
 * The first 64 characters of an unknown path for the log, without its query. Characters other than those of a URI are escaped,
 * so that a path cannot write to a terminal, and segments that contain what looks like a secret, however escaped, are hidden.
 */
export function loggedPath(target: string): string {
  const [path = ''] = originForm(target.slice(0, maxScanned)).split('?', 1);
  const segments = path.split('/').map((segment) => (hasSecret(unescaped(segment)) ? '***' : segment));
  return segments
    .join('/')
    .slice(0, maxPathLength)
    .replaceAll(/[^!$&-;=?-Z_a-z~%]/g, escaped);
}

/** Whether some bytes, as characters, have the form of a secret, also in another spelling in which a license key is known. */
function hasSecret(bytes: string): boolean {
  return [bytes, foldedKey(Buffer.from(bytes, 'latin1').toString())].some(
    (text) => secretForm.test(text) || (text.match(longText) ?? []).some((long) => /\d/.test(long)),
  );
}

/** Undoes escapes, and escapes of escapes. */
function unescaped(text: string): string {
  const next = text.replaceAll(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return next === text ? text : unescaped(next);
}

function escaped(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
}
