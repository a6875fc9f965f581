import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Actor, Call, Clock } from '../../../core/call.ts';
import type { Editions, Negotiated, SupersededEdition } from '../editions.ts';
import type { Operation } from '../operations/operation.ts';
import { headerLines } from './conformance.ts';
import { traceOf } from './header-fields.ts';
import { PausableDeadline } from './pausable-deadline.ts';
import type { Match } from './router.ts';

const acceptableId = /^[A-Za-z0-9._-]{8,128}$/;

export interface ExchangeSettings {
  readonly clock: Clock;
  readonly editions: Editions;
  readonly newId: () => string;
  /** Milliseconds that a request may wait for the store. */
  readonly storeDeadline: number;
}

/** One request, its response, and what the checks find out about it. */
export class Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly startedAt = performance.now();
  readonly deadline: PausableDeadline;
  /** Null for a path that does not exist. */
  match: Match | null = null;
  /** Null for a method that the path does not have. */
  operation: Operation | null = null;
  /** The product of the app key; null until the key has been looked up. */
  productId: string | null = null;
  /** Whether a Bearer credential was sent, valid or not. */
  hasBearer = false;
  /** What the client expects before it sends its content: `100 Continue`, or something unsupported. */
  expectation: 'none' | 'continue' | 'unknown' = 'none';
  /** Whether the connection is closed after the response. */
  mustClose = false;
  answered = false;
  /** Milliseconds for which the request was held until there was something to answer; null if it was not. */
  held: number | null = null;
  /** Called once, when the exchange is over. */
  onSettled: (() => void) | null = null;
  /** Fires at the deadline. */
  timer: NodeJS.Timeout | undefined;
  readonly #settings: ExchangeSettings;
  #call: (Call & { by: Actor }) | null = null;
  #negotiated: Negotiated | null = null;

  constructor(request: IncomingMessage, response: ServerResponse, settings: ExchangeSettings) {
    this.request = request;
    this.response = response;
    this.#settings = settings;
    this.deadline = new PausableDeadline(this.startedAt, settings.storeDeadline);
  }

  /** Made when it is first read, so that `now` is when the request's turn begins, and not when it arrived in a pipeline. */
  get call(): Call {
    if (this.#call !== null) return this.#call;
    const { clock, newId } = this.#settings;
    const correlationId = inboundId(this.request) ?? newId();
    const call: Call = { now: clock(), deadline: this.deadline, correlationId, by: 'public' };
    const trace = traceOf(this.request.headers['traceparent']);
    this.#call = trace === null ? call : { ...call, trace };
    return this.#call;
  }

  /** Names the sender in `call`, once the credential is known. */
  identify(by: Actor): void {
    if (this.#call !== null) this.#call.by = by;
  }

  get accept(): string | undefined {
    return this.request.headers.accept;
  }

  /** The edition that the request asks for. Errors that precede the check of it are in its shape as well. */
  get negotiated(): Negotiated {
    const { headers } = this.request;
    this.#negotiated ??= this.#settings.editions.negotiate(headers['api-version'], this.call.now);
    return this.#negotiated;
  }

  /** The superseded edition to answer in, or null for the current one. */
  get edition(): SupersededEdition | null {
    return this.negotiated.kind === 'superseded' ? this.negotiated.edition : null;
  }
}

/** The correlation id that the client sent; null if it is missing or not acceptable. */
export function inboundId(request: IncomingMessage): string | null {
  if (request.headers['x-request-id'] === undefined) return null;
  const [id, ...others] = headerLines(request.rawHeaders, 'x-request-id');
  return id !== undefined && others.length === 0 && acceptableId.test(id) ? id : null;
}
