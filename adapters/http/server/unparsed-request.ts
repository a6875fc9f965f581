import type { IncomingMessage } from 'node:http';
import type { Clock } from '../../../core/call.ts';
import type { Answer } from '../answer.ts';
import type { RequestHead } from './parser-error.ts';
import { corsHeaders, type CorsOrigins } from '../exchange/cors.ts';
import { errorAnswer } from '../exchange/error-answer.ts';
import { inboundId } from '../exchange/exchange.ts';
import { everyMethod } from '../exchange/request-checks.ts';
import { refuse, type ErrorCode } from '../refusals.ts';
import type { Match } from '../exchange/router.ts';

/** A request that Node does not hand over as one. */
export interface UnparsedRequest {
  readonly code: ErrorCode;
  /** Null where nothing of it could be read. */
  readonly head: RequestHead | null;
  readonly request: IncomingMessage | null;
}

export interface UnparsedAnswer {
  readonly answer: Answer;
  readonly correlationId: string;
  /** Null where it could not be read. */
  readonly method: string | null;
  /** The operation that was asked for, where its first line could be read. */
  readonly operation: string | undefined;
}

/** What the answer depends on, besides the request. */
interface Surroundings {
  readonly clock: Clock;
  readonly newId: () => string;
  readonly metadataUrl: () => string;
  readonly corsOrigins: CorsOrigins;
}

/** The answer of a request that never became an exchange, in the shape of its operation. `match` is its route, where it has one. */
export function answerUnparsed(
  { code, head, request }: UnparsedRequest,
  match: Match | null,
  { clock, newId, metadataUrl, corsOrigins }: Surroundings,
): UnparsedAnswer {
  const correlationId = (request === null ? null : inboundId(request)) ?? newId();
  const operation = match?.route.operations.get(head?.method ?? '');
  const answer = errorAnswer(refuse(code), {
    shape: operation?.errors ?? 'standard',
    correlationId,
    now: clock(),
    metadataUrl,
    presented: false,
    allow: everyMethod,
  });
  const cors = head === null ? [] : corsHeaders(match, head.method, head, corsOrigins);
  return {
    answer: { ...answer, headers: [...(answer.headers ?? []), ...cors] },
    correlationId,
    method: head?.method ?? null,
    operation: operation?.id,
  };
}
