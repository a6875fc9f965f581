import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Call } from '../../../core/call.ts';
import type { Negotiated, SupersededEdition } from '../editions.ts';
import type { Operation } from '../operations/operation.ts';
import { PausableDeadline } from './pausable-deadline.ts';
import type { Match } from './router.ts';
import { linesOf } from './conformance.ts';

const acceptableId = /^[A-Za-z0-9._-]{8,128}$/;

/** One request and its answer, and what is learned of it on the way. */
export class Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly call: Call;
  readonly startedAt = performance.now();
  readonly deadline: PausableDeadline;
  /** Null for a path that does not exist. */
  match: Match | null = null;
  /** Null for a method that the path does not have. */
  operation: Operation | null = null;
  /** Which edition the request asks for; an error that comes before this is checked is in its words already. */
  negotiated: Negotiated = { kind: 'current' };
  productId: string | null = null;
  /** Whether a Bearer credential was sent, good or bad. */
  presented = false;
  /** What the client waits for before it sends its content: `100 Continue`, or something else. */
  expectation: 'none' | 'continue' | 'unknown' = 'none';
  /** Whether the connection is closed after the answer, because it cannot be trusted with another request. */
  mustClose = false;
  answered = false;
  /** Is told when it is over. */
  onOver: (() => void) | null = null;
  /** Runs until the exchange is answered. */
  watch: NodeJS.Timeout | undefined;

  constructor(
    request: IncomingMessage,
    response: ServerResponse,
    settings: { readonly now: Date; readonly deadline: number; readonly newId: () => string },
  ) {
    this.request = request;
    this.response = response;
    this.deadline = new PausableDeadline(this.startedAt, settings.deadline);
    this.call = {
      now: settings.now,
      deadline: this.deadline,
      correlationId: inboundId(request) ?? settings.newId(),
    };
  }

  /** The superseded edition in which to answer, or null for the current one. */
  get edition(): SupersededEdition | null {
    return this.negotiated.kind === 'superseded' ? this.negotiated.edition : null;
  }
}

/** The correlation id that a client brings, if it is one. */
export function inboundId(request: IncomingMessage): string | null {
  if (request.headers['x-request-id'] === undefined) return null;
  const [id, ...others] = linesOf(request.rawHeaders, 'x-request-id');
  return id !== undefined && others.length === 0 && acceptableId.test(id) ? id : null;
}
