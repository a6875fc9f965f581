import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import type { Clock } from '../../../core/call.ts';
import type { Answer } from '../answer.ts';
import { ClientGone } from '../exchange/body.ts';
import type { CorsOrigins } from '../exchange/cors.ts';
import { currentEdition } from '../editions.ts';
import { contextOf, errorAnswer } from '../exchange/error-answer.ts';
import { Exchange } from '../exchange/exchange.ts';
import type { Operation } from '../operations/operation.ts';
import { RequestChecks, type RequestCheckSettings } from '../exchange/request-checks.ts';
import { isRefusal, refuse } from '../refusals.ts';
import { RequestLog, type Outcome } from './request-log.ts';
import { Router, type Match } from '../exchange/router.ts';
import { send } from './send.ts';
import { answerUnparsed, type UnparsedAnswer, type UnparsedRequest } from './unparsed-request.ts';
import { originForm } from '../exchange/conformance.ts';

export interface ServiceSettings extends RequestCheckSettings {
  readonly operations: readonly Operation[];
  readonly clock: Clock;
  readonly newId: () => string;
  readonly log: Logger;
  readonly corsOrigins: CorsOrigins;
  /** Milliseconds that a request may wait for the store. */
  readonly storeDeadline: number;
  /** Where the RFC 9728 metadata stands. */
  readonly metadataUrl: () => string;
  /** Is told of every request when it is over. */
  readonly observe?: (outcome: Outcome) => void;
}

/** Answers every request once, whatever happens on the way. */
export class Service {
  readonly #settings: ServiceSettings;
  readonly #router: Router;
  readonly #pipeline: RequestChecks;
  readonly #report: RequestLog;
  #draining = false;

  constructor(settings: ServiceSettings) {
    this.#settings = settings;
    this.#router = new Router(settings.operations);
    this.#pipeline = new RequestChecks(settings);
    this.#report = new RequestLog(settings.log, settings.observe);
  }

  get draining(): boolean {
    return this.#draining;
  }

  /** From now on every answer closes its connection. */
  drain(): void {
    this.#draining = true;
  }

  begin(request: IncomingMessage, response: ServerResponse): Exchange {
    const { clock, storeDeadline, newId, editions } = this.#settings;
    const exchange = new Exchange(request, response, { now: clock(), deadline: storeDeadline, newId });
    exchange.match = this.#find(request.url ?? '');
    exchange.operation = exchange.match?.route.operations.get(request.method ?? '') ?? null;
    exchange.negotiated = editions.negotiate(request.headers['api-version'], exchange.call.now);
    return exchange;
  }

  /** Answers an exchange, and never rejects. */
  async run(exchange: Exchange): Promise<void> {
    this.#watch(exchange);
    try {
      this.#finish(exchange, await this.#pipeline.answer(exchange));
    } catch (error) {
      this.fail(exchange, error);
    }
  }

  /**
   * Answers an exchange with what was thrown: a refusal in its words, a fault in none but the log's. Of one that has been
   * answered already, because its deadline passed, the log alone learns.
   */
  fail(exchange: Exchange, error: unknown): void {
    if (error instanceof ClientGone) {
      if (!exchange.answered) this.#settle(exchange, null, false);
      return;
    }
    const { correlationId } = exchange.call;
    const refusal = isRefusal(error) ? error : refuse('internal_error');
    const cause = isRefusal(error) ? error.details.cause : error;
    if (cause !== undefined) this.#report.fault(correlationId, refusal.code, cause);
    if (exchange.answered) return;
    try {
      this.#finish(exchange, errorAnswer(refusal, contextOf(exchange, this.#settings.metadataUrl)));
    } catch (fault) {
      this.#report.fault(correlationId, 'internal_error', fault);
      this.#settle(exchange, null, false);
      exchange.response.destroy();
    }
  }

  /** Reports a request that never became an exchange; returns its answer. */
  answerUnparsed(unparsed: UnparsedRequest): UnparsedAnswer {
    const match = unparsed.head === null ? null : this.#find(unparsed.head.target);
    const answered = answerUnparsed(unparsed, match, this.#settings);
    const { answer, correlationId, operation } = answered;
    this.#report.request({
      correlationId,
      operation,
      edition: currentEdition,
      product: null,
      status: answer.status,
      duration: 0,
      replayed: false,
    });
    return answered;
  }

  #find(target: string): Match | null {
    const [path = ''] = originForm(target).split('?', 1);
    return this.#router.find(path);
  }

  #finish(exchange: Exchange, current: Answer): void {
    if (exchange.answered) return;
    const { edition, operation } = exchange;
    const { editions, corsOrigins } = this.#settings;
    const answer = edition === null ? current : editions.down(edition, operation?.id ?? null, current);
    const status = send(exchange, answer, { corsOrigins, close: this.#draining || exchange.mustClose });
    this.#settle(exchange, status, answer.replayed === true);
  }

  /** Answers at the deadline whatever the operation is still waiting for. */
  #watch(exchange: Exchange): void {
    const { deadline } = exchange;
    const check = (): void => {
      const remaining = deadline.remaining();
      if (remaining > 0) exchange.watch = setTimeout(check, remaining + 1);
      else this.fail(exchange, refuse('store_unavailable', { cause: new Error('the deadline of the request passed') }));
    };
    exchange.watch = setTimeout(check, this.#settings.storeDeadline);
  }

  /** Nothing more comes of the exchange, even where its operation never returns. */
  #settle(exchange: Exchange, status: number | null, replayed: boolean): void {
    exchange.answered = true;
    clearTimeout(exchange.watch);
    this.#report.request({
      correlationId: exchange.call.correlationId,
      operation: exchange.operation?.id,
      edition: exchange.edition?.date ?? currentEdition,
      product: exchange.productId,
      status,
      duration: Math.round((performance.now() - exchange.startedAt) * 1000) / 1000,
      replayed,
    });
    exchange.onOver?.();
  }
}
