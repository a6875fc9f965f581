import type { AppKey } from '../../../core/access/app-key.ts';
import type { Authenticate } from '../../../core/access/authenticate.ts';
import type { Authorize } from '../../../core/access/authorize.ts';
import type { Scope } from '../../../core/access/scope.ts';
import { noStore, type Answer } from '../answer.ts';
import { credentialOf } from './bearer.ts';
import { checkMediaType, hasBody, parseJson, readBody } from './body.ts';
import type { Editions } from '../editions.ts';
import type { Exchange } from './exchange.ts';
import type { Operation, OperationRequest } from '../operations/operation.ts';
import type { RateLimiter } from './rate-limiter.ts';
import { refuse } from '../refusals.ts';
import type { Match } from './router.ts';
import { checkConformance, linesOf } from './conformance.ts';

export interface RequestCheckSettings {
  readonly editions: Editions;
  readonly authenticate: Authenticate;
  readonly authorize: Authorize;
  /** Null where nothing is limited. */
  readonly rateLimiter: RateLimiter | null;
}

/** The methods of the service as a whole, for a target that is no path: `OPTIONS *`, and CONNECT. */
export const everyMethod = 'GET, HEAD, POST, OPTIONS';

/** Takes a request through every check, in the order of docs/decisions.md, to its operation. */
export class RequestChecks {
  readonly #settings: RequestCheckSettings;

  constructor(settings: RequestCheckSettings) {
    this.#settings = settings;
  }

  /** Throws refusals, `ClientGone` and faults. */
  async answer(exchange: Exchange): Promise<Answer> {
    const { request, match, operation } = exchange;
    try {
      checkConformance(request);
      if (exchange.expectation === 'unknown') throw refuse('expectation_failed');
    } catch (error) {
      exchange.mustClose = true;
      throw error;
    }
    if (request.method === 'OPTIONS' && request.url === '*') return options(everyMethod);
    if (match === null) throw refuse('not_found');
    if (operation === null && request.method !== 'OPTIONS') throw refuse('method_not_allowed');
    this.#checkEdition(exchange);
    return operation === null ? options(match.route.allow) : this.#operate(exchange, operation, match);
  }

  #checkEdition({ negotiated: { kind }, call }: Exchange): void {
    if (kind === 'current' || kind === 'superseded') return;
    const supported = this.#settings.editions.supported(call.now).join(', ');
    const message = `The API-Version header must be absent or one of: ${supported}.`;
    if (kind === 'unknown') throw refuse('unsupported_api_version', { message });
    throw refuse('retired_api_version', { message: `This API version has been retired. ${message}` });
  }

  async #operate(exchange: Exchange, operation: Operation, match: Match): Promise<Answer> {
    if (operation.access === 'public') {
      await this.#settings.rateLimiter?.admitAddress(operation.id, exchange);
      return operation.handle(await this.#requestOf(exchange, operation, match));
    }
    const appKey = await this.#authorize(exchange, operation.id, operation.access);
    return operation.handle({ ...(await this.#requestOf(exchange, operation, match)), appKey });
  }

  /** Reads the content, and brings the request into the shape of the current edition. */
  async #requestOf(exchange: Exchange, operation: Operation, { parameters }: Match): Promise<OperationRequest> {
    const { request, call, edition } = exchange;
    const shaped = { query: queryOf(request.url ?? ''), body: await contentOf(exchange, operation) };
    return {
      call,
      parameters,
      ...(edition === null ? shaped : this.#settings.editions.up(edition, operation.id, shaped)),
      header: (name) => linesOf(request.rawHeaders, name),
    };
  }

  /** Rates of products come after the credential, which tells the product, and before its scope. */
  async #authorize(exchange: Exchange, operation: string, scope: Scope): Promise<AppKey> {
    const { authenticate, authorize, rateLimiter } = this.#settings;
    if (rateLimiter !== null) await rateLimiter.admitGuesses(exchange);
    const credential = credentialOf(linesOf(exchange.request.rawHeaders, 'authorization'));
    exchange.presented = credential.kind !== 'none';
    if (credential.kind !== 'token') throw refuse('invalid_app_key');
    const looked = authenticate(credential.token, exchange.call);
    const appKey = await (rateLimiter === null ? looked : rateLimiter.countingGuesses(exchange, looked));
    exchange.productId = appKey.productId;
    if (rateLimiter !== null) await rateLimiter.admitProduct(operation, exchange, appKey.productId);
    authorize(appKey, scope, exchange.call);
    return appKey;
  }
}

/** Reads the content within its limit, and what JSON it is where the operation takes JSON. */
async function contentOf(exchange: Exchange, operation: Operation): Promise<unknown> {
  const { request, response, deadline } = exchange;
  if (operation.body === 'json') checkMediaType(request);
  if (!hasBody(request)) return operation.body === 'json' ? parseJson(Buffer.alloc(0)) : undefined;
  if (exchange.expectation === 'continue') response.writeContinue();
  deadline.pause();
  const content = await readBody(request);
  deadline.resume();
  return operation.body === 'json' ? parseJson(content) : undefined;
}

function queryOf(target: string): string {
  const mark = target.indexOf('?');
  return mark === -1 ? '' : target.slice(mark + 1);
}

function options(allow: string): Answer {
  return { status: 204, body: null, cacheControl: noStore, headers: ['Allow', allow] };
}
