import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Actor, Call, Clock } from '../../../core/call.ts';
import type { Reach } from '../../../core/reach.ts';
import type { Editions, Negotiated, SupersededEdition } from '../editions.ts';
import type { Operation, RequestSession } from '../operations/operation.ts';
import { bodyLimit, headerLines, pathOf } from './conformance.ts';
import { contentOf, type Content, type Contents } from './content.ts';
import { traceOf } from './header-fields.ts';
import { PausableDeadline } from './pausable-deadline.ts';
import type { Match } from './router.ts';

const acceptableId = /^[A-Za-z0-9._-]{8,128}$/;

export interface ExchangeSettings extends Contents {
  readonly clock: Clock;
  readonly editions: Editions;
  readonly newId: () => string;
  /** Milliseconds that a request may wait for the store. */
  readonly storeDeadline: number;
}

/** The method, target and expectation of a request. */
export interface Asked {
  /** Null for a path that does not exist. */
  readonly match: Match | null;
  /** Null for a method that the path does not have. */
  readonly operation: Operation | null;
  /** The answer that the client expects before it sends its content: `100 Continue`, or something unsupported. */
  readonly expectation: 'none' | 'continue' | 'unknown';
}

/** Why a connection is closed after a response. */
type CloseReason =
  | 'the server is stopping'
  | 'the connection has carried its last request'
  | 'the request is malformed'
  | 'the content of the request broke off'
  | 'the rest of the content is not discarded'
  | 'Node may have skipped what follows';

/** The reach of an unknown sender. */
const nothing: ReadonlySet<string> = new Set();

/** One request, its response, and the findings of the checks. */
export class Exchange implements Asked {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly match: Asked['match'];
  readonly operation: Asked['operation'];
  readonly expectation: Asked['expectation'];
  readonly startedAt = performance.now();
  readonly deadline: PausableDeadline;
  /** Null without content, and where nothing takes it. */
  readonly content: Content | null;
  /** The product of the app key; null until the key has been looked up. */
  productId: string | null = null;
  /** Whether a Bearer credential was sent, valid or not. */
  hasBearer = false;
  /** The session that it has brought; null until it has been found. */
  session: RequestSession | null = null;
  answered = false;
  /** Milliseconds for which the request was held until there was something to answer; null if it was not. */
  held: number | null = null;
  /** Called once, when the exchange is over. */
  onSettled: (() => void) | null = null;
  /** Fires at the deadline. */
  timer: NodeJS.Timeout | undefined;
  readonly #settings: ExchangeSettings;
  #closeReason: CloseReason | null = null;
  #call: Call | null = null;
  #negotiated: Negotiated | null = null;

  constructor(request: IncomingMessage, response: ServerResponse, asked: Asked, settings: ExchangeSettings) {
    this.request = request;
    this.response = response;
    this.match = asked.match;
    this.operation = asked.operation;
    this.expectation = asked.expectation;
    this.#settings = settings;
    this.deadline = new PausableDeadline(this.startedAt, this.timeout);
    this.content = contentOf(request, asked.operation === null ? null : this.bodyLimit, settings);
  }

  /** Milliseconds that the request may take. */
  get timeout(): number {
    return this.operation?.limits?.deadline ?? this.#settings.storeDeadline;
  }

  /** The maximum size of the content. */
  get bodyLimit(): number {
    return this.operation?.bodyLimit ?? bodyLimit;
  }

  /** Made when it is first read, so that `now` is when the request's turn begins, and not when it arrived in a pipeline. */
  get call(): Call {
    if (this.#call !== null) return this.#call;
    const { clock, newId } = this.#settings;
    const correlationId = inboundId(this.request) ?? newId();
    const call: Call = { now: clock(), deadline: this.deadline, correlationId, by: 'public', products: nothing };
    const trace = traceOf(this.request.headers['traceparent']);
    this.#call = trace === null ? call : { ...call, trace };
    return this.#call;
  }

  /** Names the sender in `call` and the products that it reaches, none before the credential is known. */
  identify(by: Actor, products: Reach): void {
    if (this.#call !== null) Object.assign(this.#call, { by, products });
  }

  /** Closes the connection after the response. The first reason stays. */
  closeAfter(reason: CloseReason): void {
    this.#closeReason ??= reason;
  }

  /** Whether the connection is closed after the response. */
  get mustClose(): boolean {
    return this.#closeReason !== null || this.content?.isRefused === true;
  }

  get path(): string {
    return pathOf(this.request.url ?? '');
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
