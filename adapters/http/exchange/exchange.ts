import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Call } from '../../../core/call.ts';
import type { Negotiated, SupersededEdition } from '../editions.ts';
import type { Operation } from '../operations/operation.ts';
import { PausableDeadline } from './pausable-deadline.ts';
import type { Match } from './router.ts';
import { headerLines } from './conformance.ts';

const acceptableId = /^[A-Za-z0-9._-]{8,128}$/;

/** One request, its response, and what the checks find out about it. */
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
  /** The edition that the request asks for. Errors that precede the check of it are in its shape as well. */
  negotiated: Negotiated = { kind: 'current' };
  /** The product of the app key; null until the key has been looked up. */
  productId: string | null = null;
  /** Whether a Bearer credential was sent, valid or not. */
  hasBearer = false;
  /** What the client expects before it sends its content: `100 Continue`, or something unsupported. */
  expectation: 'none' | 'continue' | 'unknown' = 'none';
  /** Whether the connection is closed after the response. */
  mustClose = false;
  answered = false;
  /** Called once, when the exchange is over. */
  onSettled: (() => void) | null = null;
  /** Fires at the deadline. */
  timer: NodeJS.Timeout | undefined;

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

  /** The superseded edition to answer in, or null for the current one. */
  get edition(): SupersededEdition | null {
    return this.negotiated.kind === 'superseded' ? this.negotiated.edition : null;
  }
}

/** The correlation id that the client sent; null if there is none or it is not acceptable. */
export function inboundId(request: IncomingMessage): string | null {
  if (request.headers['x-request-id'] === undefined) return null;
  const [id, ...others] = headerLines(request.rawHeaders, 'x-request-id');
  return id !== undefined && others.length === 0 && acceptableId.test(id) ? id : null;
}
