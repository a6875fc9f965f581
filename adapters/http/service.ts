import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import type { Authenticate } from '../../core/access/authenticate.ts';
import type { AppKey } from '../../core/access/app-key.ts';
import type { Scope } from '../../core/access/scope.ts';
import type { Clock } from '../../core/call.ts';
import { noStore, type Answer } from './answer.ts';
import { credentialOf } from './bearer.ts';
import { checkMediaType, ClientGone, hasBody, parseJson, readBody } from './body.ts';
import type { CorsOrigins } from './cors.ts';
import type { Editions } from './editions.ts';
import { errorAnswer } from './error-answer.ts';
import { Exchange } from './exchange.ts';
import type { Operation, OperationRequest } from './operation.ts';
import { isRefusal, refuse } from './refusals.ts';
import { Router } from './router.ts';
import { send } from './send.ts';
import { checkWire, linesOf, originForm } from './wire.ts';

export interface ServiceSettings {
  readonly operations: readonly Operation[];
  readonly editions: Editions;
  readonly authenticate: Authenticate;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly log: Logger;
  readonly corsOrigins: CorsOrigins;
  /** Milliseconds that a request may wait for the store. */
  readonly storeDeadline: number;
  /** Where the RFC 9728 metadata stands. */
  readonly metadataUrl: () => string;
}

/** Answers requests: every check in the order of decisions.md, then the operation. */
export class Service {
  readonly settings: ServiceSettings;
  readonly #router: Router;
  #draining = false;

  constructor(settings: ServiceSettings) {
    this.settings = settings;
    this.#router = new Router(settings.operations);
  }

  get draining(): boolean {
    return this.#draining;
  }

  /** From now on every answer closes its connection. */
  drain(): void {
    this.#draining = true;
  }

  begin(request: IncomingMessage, response: ServerResponse): Exchange {
    const { clock, storeDeadline, newId } = this.settings;
    const exchange = new Exchange(request, response, { now: clock(), deadline: storeDeadline, newId });
    const [path = ''] = originForm(request.url ?? '').split('?', 1);
    const match = this.#router.find(path);
    exchange.match = match;
    exchange.operation = match?.route.operations.get(request.method ?? '') ?? null;
    return exchange;
  }

  /** Answers an exchange, and never rejects. */
  async run(exchange: Exchange): Promise<void> {
    const watch = this.#watch(exchange);
    try {
      this.finish(exchange, await this.#answer(exchange));
    } catch (error) {
      this.fail(exchange, error);
    } finally {
      clearTimeout(watch.timer);
    }
  }

  /** Answers an exchange with what was thrown: a refusal in its words, a fault in none but the log's. */
  fail(exchange: Exchange, error: unknown): void {
    if (exchange.answered) return;
    if (error instanceof ClientGone) {
      exchange.answered = true;
      this.#record(exchange, null);
      return;
    }
    const refusal = isRefusal(error) ? error : refuse('internal_error');
    const cause = isRefusal(error) ? error.details.cause : error;
    if (cause !== undefined) {
      this.settings.log.error({ correlationId: exchange.call.correlationId, err: cause }, refusal.code);
    }
    this.finish(exchange, errorAnswer(refusal, this.#errorContext(exchange)));
  }

  finish(exchange: Exchange, current: Answer): void {
    if (exchange.answered) return;
    exchange.answered = true;
    const { edition, operation } = exchange;
    const rewritten = edition !== null && operation !== null;
    const answer = rewritten ? this.settings.editions.down(edition, operation.id, current) : current;
    const close = this.#draining || exchange.mustClose;
    this.#record(exchange, send(exchange, answer, { corsOrigins: this.settings.corsOrigins, close }));
  }

  async #answer(exchange: Exchange): Promise<Answer> {
    const { request, match } = exchange;
    try {
      checkWire(request);
    } catch (error) {
      exchange.mustClose = true;
      throw error;
    }
    if (request.method === 'OPTIONS' && request.url === '*') return options('GET, HEAD, POST, OPTIONS');
    if (match === null) throw refuse('not_found');
    if (exchange.operation === null && request.method !== 'OPTIONS') throw refuse('method_not_allowed');
    this.#negotiateEdition(exchange);
    if (exchange.operation === null) return options(match.route.allow);
    return this.#operate(exchange, exchange.operation, match.parameters);
  }

  #negotiateEdition(exchange: Exchange): void {
    const { editions } = this.settings;
    const { now } = exchange.call;
    const value = exchange.request.headers['api-version'];
    const negotiated = editions.negotiate(typeof value === 'string' ? value : undefined, now);
    const sentence = `The API-Version header must be absent or one of: ${editions.supported(now).join(', ')}.`;
    switch (negotiated.kind) {
      case 'current':
        return;
      case 'superseded':
        exchange.edition = negotiated.edition;
        return;
      case 'retired':
        throw refuse('retired_api_version', { sentence: `This API version has been retired. ${sentence}` });
      case 'unknown':
        throw refuse('unsupported_api_version', { sentence });
    }
  }

  async #operate(
    exchange: Exchange,
    operation: Operation,
    parameters: OperationRequest['parameters'],
  ): Promise<Answer> {
    const { request, call } = exchange;
    const appKey = operation.access === 'public' ? null : await this.#authorize(exchange, operation.access);
    const content = await this.#content(exchange, operation);
    const url = request.url ?? '';
    const query = url.includes('?') ? url.slice(url.indexOf('?') + 1) : '';
    const shaped = exchange.edition
      ? this.settings.editions.up(exchange.edition, operation.id, { query, body: content })
      : { query, body: content };
    const header = (name: string): readonly string[] => linesOf(request.rawHeaders, name);
    const asked: OperationRequest = { call, parameters, ...shaped, header };
    if (operation.access === 'public') return operation.handle(asked);
    if (appKey === null) throw refuse('invalid_app_key');
    return operation.handle({ ...asked, appKey });
  }

  async #authorize(exchange: Exchange, scope: Scope): Promise<AppKey> {
    const credential = credentialOf(linesOf(exchange.request.rawHeaders, 'authorization'));
    exchange.presented = credential.kind !== 'none';
    if (credential.kind !== 'token') throw refuse('invalid_app_key');
    const appKey = await this.settings.authenticate(credential.token, scope, exchange.call);
    exchange.productId = appKey.productId;
    return appKey;
  }

  /** Reads the content within its limit, and what JSON it is where the operation takes JSON. */
  async #content(exchange: Exchange, operation: Operation): Promise<unknown> {
    const { request, response, deadline } = exchange;
    if (operation.body === 'json') checkMediaType(request);
    if (!hasBody(request)) return operation.body === 'json' ? parseJson(Buffer.alloc(0)) : undefined;
    if (exchange.awaitsContinue) response.writeContinue();
    deadline.pause();
    const content = await readBody(request);
    deadline.resume();
    return operation.body === 'json' ? parseJson(content) : undefined;
  }

  /** Answers at the deadline whatever the operation is still waiting for. */
  #watch(exchange: Exchange): { timer: NodeJS.Timeout } {
    const { deadline } = exchange;
    const check = (): void => {
      const remaining = deadline.remaining();
      if (remaining > 0) watch.timer = setTimeout(check, remaining + 1);
      else this.fail(exchange, refuse('store_unavailable', { cause: new Error('the deadline of the request passed') }));
    };
    const watch = { timer: setTimeout(check, this.settings.storeDeadline) };
    return watch;
  }

  #errorContext(exchange: Exchange): Parameters<typeof errorAnswer>[1] {
    return {
      shape: exchange.operation?.errors ?? 'standard',
      correlationId: exchange.call.correlationId,
      now: exchange.call.now,
      metadataUrl: this.settings.metadataUrl(),
      presented: exchange.presented,
      allow: exchange.match?.route.allow ?? null,
    };
  }

  /** One line for each request: never a key, a license or an address. A client that went away has no status. */
  #record({ call, operation, productId, startedAt }: Exchange, status: number | null): void {
    const duration = Math.round((performance.now() - startedAt) * 1000) / 1000;
    this.settings.log.info(
      { correlationId: call.correlationId, operation: operation?.id, product: productId, status, duration },
      'request',
    );
  }
}

function options(allow: string): Answer {
  return { status: 204, body: null, cacheControl: noStore, headers: ['Allow', allow] };
}
