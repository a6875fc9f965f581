import type { IncomingMessage } from 'node:http';
import type { Clock } from '../../../core/call.ts';
import type { Answer } from '../answer.ts';
import { pathOf } from '../exchange/conformance.ts';
import { corsHeaders, type CorsOrigins } from '../exchange/cors.ts';
import { errorAnswer, type PortFacts } from '../exchange/error-answer.ts';
import { inboundId } from '../exchange/exchange.ts';
import type { Match } from '../exchange/router.ts';
import { refuse, type ErrorCode } from '../refusals.ts';
import type { RequestHead } from './parser-error.ts';

/** A request that Node does not pass on as one: the parser rejected it, or it is a CONNECT. */
export interface UnparsedRequest {
  readonly code: ErrorCode;
  /** Null if none of it could be read. */
  readonly head: RequestHead | null;
  readonly request: IncomingMessage | null;
}

export interface UnparsedAnswer {
  readonly answer: Answer;
  readonly correlationId: string;
  /** Null if it could not be read. */
  readonly method: string | null;
  /** The operation that was asked for, if the request line could be read. */
  readonly operation: string | undefined;
}

interface UnparsedSettings {
  readonly clock: Clock;
  readonly newId: () => string;
  readonly corsOrigins: CorsOrigins;
}

/** Answers an unparsed request in the shape of its operation. `match` is its route, if it has one. */
export function answerUnparsed(
  { code, head, request }: UnparsedRequest,
  match: Match | null,
  { clock, newId, corsOrigins }: UnparsedSettings,
  port: PortFacts,
): UnparsedAnswer {
  const correlationId = (request === null ? null : inboundId(request)) ?? newId();
  const operation = match?.route.operations.get(head?.method ?? '') ?? null;
  const call = { correlationId, now: clock() };
  const path = head === null ? null : pathOf(head.target);
  const answer = errorAnswer(
    refuse(code),
    { path, match, operation, call, hasBearer: false, session: null, accept: undefined },
    port,
  );
  const cors = head === null ? [] : corsHeaders(match, head.method, head, corsOrigins);
  return {
    answer: { ...answer, headers: [...(answer.headers ?? []), ...cors] },
    correlationId,
    method: head?.method ?? null,
    operation: operation?.id,
  };
}
