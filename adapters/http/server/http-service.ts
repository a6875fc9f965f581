import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { deadlineIn, type Call } from '../../../core/call.ts';
import type { Answer } from '../answer.ts';
import type { AnswerBudget } from '../content/answer-budget.ts';
import { ClientGone } from '../exchange/body.ts';
import { pathOf } from '../exchange/conformance.ts';
import type { CorsOrigins } from '../exchange/cors.ts';
import { errorAnswer, type PortFacts } from '../exchange/error-answer.ts';
import { Exchange, type Asked, type ExchangeSettings } from '../exchange/exchange.ts';
import { Holds } from '../exchange/holds.ts';
import { monotonicTime } from '../exchange/pausable-deadline.ts';
import { RequestChecks, type RequestCheckSettings } from '../exchange/request-checks.ts';
import { Router, type Match, type Route } from '../exchange/router.ts';
import type { Operation } from '../operations/operation.ts';
import { isRefusal, refuse } from '../refusals.ts';
import { outcomeOf, RequestLog, unparsedOutcomeOf, type RequestOutcome } from './request-log.ts';
import { partsSize, piecesOf, sendParts } from './send-parts.ts';
import { endUnlessTaken, send, untaken } from './send.ts';
import { answerUnparsed, type UnparsedAnswer, type UnparsedRequest } from './unparsed-request.ts';

export interface HttpServiceSettings extends RequestCheckSettings, ExchangeSettings {
  readonly operations: readonly Operation[];
  readonly log: Logger;
  readonly corsOrigins: CorsOrigins;
  /** Where the RFC 9728 metadata is served; null if the port has none. */
  readonly metadataUrl: PortFacts['metadataUrl'];
  /** Milliseconds that a client may take to read an answer, or a part of one that is made while it is sent. */
  readonly answerTimeout: number;
  /** Shared by all ports of a process. */
  readonly answers: AnswerBudget;
  /** Called for each connection that is ended because the answers that wait have no room. */
  readonly onSlowReader: () => void;
  /** Null if the port has no pages. */
  readonly pages: PortFacts['pages'];
  /** Called with every request when it is over. */
  readonly observe?: (outcome: RequestOutcome) => void;
}

/** Answers each request exactly once, whatever goes wrong. */
export class HttpService {
  readonly #settings: HttpServiceSettings;
  readonly #router: Router;
  readonly #checks: RequestChecks;
  readonly #facts: PortFacts;
  readonly #log: RequestLog;
  readonly #holds = new Holds();
  #draining = false;

  constructor(settings: HttpServiceSettings) {
    this.#settings = settings;
    this.#router = new Router(settings.operations);
    this.#checks = new RequestChecks(settings, this.#router.allow, this.#holds);
    this.#facts = { metadataUrl: settings.metadataUrl, pages: settings.pages, allow: this.#router.allow };
    this.#log = new RequestLog(settings.log, settings.observe);
  }

  /** Closes each connection after its next response, and holds no request, from now on. */
  drain(): void {
    this.#draining = true;
    this.#holds.endAll();
  }

  createExchange(request: IncomingMessage, response: ServerResponse, expectation: Asked['expectation']): Exchange {
    const match = this.#matchOf(request.url ?? '');
    const operation = match === null ? null : this.#operationOf(match.route, request);
    return new Exchange(request, response, { match, operation, expectation }, this.#settings);
  }

  /** Where a page and JSON share a path and a method, the client's `Accept` chooses. */
  #operationOf({ pages, operations }: Route, { method = '', headers }: IncomingMessage): Operation | null {
    const page = pages.get(method);
    if (page !== undefined && this.#settings.pages?.preferred(headers.accept) === true) return page;
    return operations.get(method) ?? null;
  }

  /** Answers an exchange. Never rejects. */
  async run(exchange: Exchange): Promise<void> {
    this.#startTimer(exchange);
    try {
      const answer = await this.#checks.answer(exchange);
      if (answer.parts === undefined || exchange.request.method === 'HEAD') this.#respond(exchange, answer);
      else await this.#respondInParts(exchange, answer, answer.parts);
    } catch (error) {
      this.fail(exchange, error);
    }
  }

  /** Counts requests that wait for a client to take the answer before them. */
  holdBehind({ response }: Exchange, waiting: readonly Exchange[]): void {
    this.#settings.answers.holdBehind(response, waiting);
  }

  /**
   * Answers an exchange after an error: a refusal with its own message, a fault with a fixed one. The cause of a fault
   * is logged. If the exchange was answered before, because its deadline passed, the error is only logged.
   */
  fail(exchange: Exchange, error: unknown): void {
    if (error instanceof ClientGone) {
      if (!exchange.answered) this.#settle(exchange, null, null);
      return;
    }
    const refusal = isRefusal(error) ? error : refuse('internal_error');
    const cause = isRefusal(error) ? error.details.cause : error;
    if (cause !== undefined) this.#log.fault(exchange.call, refusal.code, cause);
    if (exchange.answered) return;
    try {
      this.#respond(exchange, errorAnswer(refusal, exchange, this.#facts));
    } catch (fault) {
      this.#log.fault(exchange.call, 'internal_error', fault);
      this.#settle(exchange, null, null);
      exchange.response.destroy();
    }
  }

  /** Logs a request that never became an exchange, and returns its answer. */
  answerUnparsed(unparsed: UnparsedRequest): UnparsedAnswer {
    const match = unparsed.head === null ? null : this.#matchOf(unparsed.head.target);
    const answer = answerUnparsed(unparsed, match, this.#settings, this.#facts);
    this.#log.request(unparsedOutcomeOf(unparsed, answer, match));
    return answer;
  }

  #matchOf(target: string): Match | null {
    return this.#router.find(pathOf(target));
  }

  #respond(exchange: Exchange, current: Answer): void {
    if (exchange.answered) return;
    const { edition, operation } = exchange;
    const { answers, answerTimeout, editions, corsOrigins, onSlowReader } = this.#settings;
    const answer = edition === null ? current : editions.down(edition, operation?.id ?? null, current);
    if (this.#draining) exchange.closeAfter('the server is stopping');
    const status = send(exchange, answer, corsOrigins);
    const waiting = untaken(exchange.response);
    if (waiting > 0) {
      answers.hold(exchange.response, waiting, answer.body, onSlowReader);
      endUnlessTaken(exchange, answerTimeout);
    }
    this.#settle(exchange, status, answer);
  }

  /** Answers with content that is made while it is sent. The deadline of the exchange is that of its first piece. */
  async #respondInParts(exchange: Exchange, answer: Answer, parts: NonNullable<Answer['parts']>): Promise<void> {
    const { call, response, timeout } = exchange;
    const newCall = (): Call => ({ ...call, deadline: deadlineIn(timeout, monotonicTime) });
    const pieces = piecesOf(parts(newCall));
    const first = await pieces.next();
    if (exchange.answered) return;
    this.#settings.answers.hold(response, partsSize, null, this.#settings.onSlowReader);
    this.#respond(exchange, answer);
    await sendParts(response, first.value ?? '', pieces, this.#settings.answerTimeout);
  }

  /** Answers at the deadline, even if the operation is still waiting. */
  #startTimer(exchange: Exchange): void {
    const { deadline, operation } = exchange;
    const code = operation?.limits?.atDeadline ?? 'store_unavailable';
    const extra = operation?.extraTime ?? 0;
    const check = (): void => {
      const remaining = deadline.remaining() + extra;
      if (remaining > 0) exchange.timer = setTimeout(check, remaining + 1);
      else this.fail(exchange, refuse(code, { cause: new Error('the deadline of the request passed') }));
    };
    exchange.timer = setTimeout(check, exchange.timeout + extra);
  }

  /** Ends an exchange, even if its operation never returns. */
  #settle(exchange: Exchange, status: number | null, answer: Answer | null): void {
    exchange.answered = true;
    clearTimeout(exchange.timer);
    exchange.content?.release();
    this.#log.request(outcomeOf(exchange, status, answer));
    exchange.onSettled?.();
  }
}
