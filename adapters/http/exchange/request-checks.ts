import type { AppKey, Scope } from '../../../core/key/app/app-key.ts';
import type { AuthenticateKey, AuthorizeKey } from '../../../core/key/check-key.ts';
import { reachOf, type OperatorKey } from '../../../core/key/operator/operator-key.ts';
import { noStore, type Answer } from '../answer.ts';
import { parseForm } from '../content/form.ts';
import { editionEtag, type Editions } from '../editions.ts';
import type { AppKeyOperation, Operation, OperationRequest, OperatorOperation } from '../operations/operation.ts';
import { refuse, type ErrorCode } from '../refusals.ts';
import { checkMediaType, formType, jsonType, parseJson } from './body.ts';
import { checkConformance, headerLines } from './conformance.ts';
import type { Content } from './content.ts';
import type { Exchange } from './exchange.ts';
import { credentialOf } from './header-fields.ts';
import type { Holds } from './holds.ts';
import type { RateLimiter } from './rate-limiter.ts';
import type { Match } from './router.ts';
import { SessionChecks, type SessionCheckSettings } from './session-checks.ts';

export interface RequestCheckSettings extends SessionCheckSettings {
  /** Counts what clients look up and is unknown, also where nothing else is limited. Absent if there is nothing to look up. */
  readonly claimLimiter?: RateLimiter | null;
  readonly editions: Editions;
  readonly authenticate: AuthenticateKey<AppKey>;
  readonly authorize: AuthorizeKey<Scope>;
  readonly authenticateOperator: AuthenticateKey<OperatorKey>;
}

/** Runs the checks of a request in the order of docs/reference/decisions.md, and then its operation. */
export class RequestChecks {
  readonly #settings: RequestCheckSettings;
  readonly #allow: string;
  readonly #holds: Holds;
  readonly #sessions: SessionChecks;

  /** `allow` names the methods of all operations. */
  constructor(settings: RequestCheckSettings, allow: string, holds: Holds) {
    this.#settings = settings;
    this.#allow = allow;
    this.#holds = holds;
    this.#sessions = new SessionChecks(settings);
  }

  /** Throws refusals, `ClientGone` and faults. */
  async answer(exchange: Exchange): Promise<Answer> {
    const { request, match, operation } = exchange;
    try {
      checkConformance(request, exchange.bodyLimit);
      if (exchange.expectation === 'unknown') throw refuse('expectation_failed');
    } catch (error) {
      exchange.closeAfter('the request is malformed');
      throw error;
    }
    if (request.method === 'OPTIONS' && request.url === '*') return options(this.#allow);
    if (match === null) throw refuse('not_found');
    if (operation === null && request.method !== 'OPTIONS') throw refuse('method_not_allowed');
    this.#checkEdition(exchange);
    return operation === null ? options(match.route.allow) : this.#handle(exchange, operation, match);
  }

  #checkEdition({ negotiated: { kind }, call }: Exchange): void {
    if (kind === 'current' || kind === 'superseded') return;
    const supported = this.#settings.editions.supported(call.now).join(', ');
    const message = `The API-Version header must be absent or one of: ${supported}.`;
    if (kind === 'unknown') throw refuse('unsupported_api_version', { message });
    throw refuse('retired_api_version', { message: `This API version has been retired. ${message}` });
  }

  async #handle(exchange: Exchange, operation: Operation, match: Match): Promise<Answer> {
    switch (operation.caller) {
      case 'anyone':
        await this.#settings.rateLimiter?.admitAddress(operation.id, exchange);
        return operation.handle({
          ...(await this.#requestOf(exchange, operation, match)),
          admitClaim: async () => this.#settings.claimLimiter?.admitClaim(exchange),
          admitTrial: async () => this.#settings.claimLimiter?.admitTrial(exchange),
          admitAskedMail: async (what) => this.#settings.claimLimiter?.admitAskedMail(exchange, what),
          countUnknown: (lookUp, what) => this.#settings.claimLimiter?.countUnknown(exchange, lookUp, what) ?? lookUp(),
        });
      case 'app': {
        const appKey = await this.#appKeyOf(exchange, operation);
        return operation.handle({ ...(await this.#requestOf(exchange, operation, match)), appKey });
      }
      case 'operator': {
        const operatorKey = await this.#operatorKeyOf(exchange, operation);
        return operation.handle({ ...(await this.#requestOf(exchange, operation, match)), operatorKey });
      }
      case 'visitor': {
        const session = await this.#sessions.admitVisitor(exchange, operation);
        const { claimLimiter, rateLimiter, sessions } = this.#settings;
        return operation.handle({
          ...(await this.#requestOf(exchange, operation, match)),
          session,
          connection: sessions?.connectionOf(exchange.request) ?? { kind: 'insecure' },
          countGuess: (lookUp) => (rateLimiter === null ? lookUp() : rateLimiter.countGuess(exchange, lookUp)),
          countLink: (lookUp) => claimLimiter?.countUnknown(exchange, lookUp, 'link') ?? lookUp(),
        });
      }
      case 'session': {
        const session = await this.#sessions.admit(exchange, operation);
        if ('status' in session) return session;
        const sent = await this.#requestOf(exchange, operation, match);
        if (operation.method !== 'GET') this.#sessions.checkForm(sent.body, session);
        return operation.handle({ ...sent, session });
      }
    }
  }

  /** Reads the content, and rewrites the request into the shape of the current edition. */
  async #requestOf(exchange: Exchange, operation: Operation, { parameters }: Match): Promise<OperationRequest> {
    const { request, call, edition } = exchange;
    const header = (name: string): readonly string[] => headerLines(request.rawHeaders, name);
    operation.checkHead?.(header, call);
    const shaped = { query: queryOf(request.url ?? ''), body: await contentOf(exchange, operation) };
    return {
      call,
      parameters,
      ...(edition === null ? shaped : this.#settings.editions.up(edition, operation.id, shaped)),
      header,
      hold: (held) => this.#holds.hold(exchange, held),
      inEdition: edition === null ? unchanged : (etag) => editionEtag(etag, edition),
    };
  }

  async #appKeyOf(exchange: Exchange, { id, access }: AppKeyOperation): Promise<AppKey> {
    const { authenticate, authorize, rateLimiter } = this.#settings;
    const appKey = await this.#lookUp(exchange, authenticate, 'invalid_app_key');
    exchange.productId = appKey.productId;
    exchange.identify(`app-key:${appKey.id}`, new Set([appKey.productId]));
    if (rateLimiter !== null) await rateLimiter.admitSubject(id, exchange, appKey.productId);
    authorize(appKey, access, exchange.call);
    return appKey;
  }

  async #operatorKeyOf(exchange: Exchange, { id, access }: OperatorOperation): Promise<OperatorKey> {
    const { authenticateOperator, authorizeOperator, rateLimiter } = this.#settings;
    const operatorKey = await this.#lookUp(exchange, authenticateOperator, 'invalid_operator_key');
    exchange.identify(`operator:${operatorKey.id}`, reachOf(operatorKey));
    await rateLimiter?.admitMerchant(exchange, operatorKey);
    await rateLimiter?.admitSubject(id, exchange, operatorKey.id);
    authorizeOperator(operatorKey, access, exchange.call);
    return operatorKey;
  }

  /** The rate limit of a key's subject is checked after the look-up, which names it, and before the scope. */
  async #lookUp<Key>(exchange: Exchange, authenticate: AuthenticateKey<Key>, invalid: ErrorCode): Promise<Key> {
    const { rateLimiter } = this.#settings;
    const credential = credentialOf(headerLines(exchange.request.rawHeaders, 'authorization'));
    exchange.hasBearer = credential.kind !== 'none';
    if (credential.kind !== 'token') {
      await rateLimiter?.checkGuesses(exchange);
      throw refuse(invalid);
    }
    const { token } = credential;
    return rateLimiter === null
      ? authenticate(token, exchange.call)
      : rateLimiter.countGuess(exchange, () => authenticate(token, exchange.call));
  }
}

const unchanged = (etag: string): string => etag;

/** Reads the content within its limit, and parses it if the operation takes any. */
async function contentOf(exchange: Exchange, { body }: Operation): Promise<unknown> {
  const { request } = exchange;
  const hasType = request.headers['content-type'] !== undefined;
  if (body === 'form') checkMediaType(request, formType);
  if (body === 'json' || (body === 'optional json' && hasType)) checkMediaType(request, jsonType);
  const content = exchange.content === null ? noContent : await read(exchange, exchange.content);
  if (body === 'raw') return content;
  if (body === 'ignored') return undefined;
  if (body === 'form') return parseForm(content);
  if (body === 'optional json') {
    if (content.length === 0) return undefined; // some clients send an empty body in chunks
    if (!hasType) throw refuse('unsupported_media_type');
  }
  return parseJson(content);
}

const noContent = Buffer.alloc(0);

async function read({ response, deadline, expectation }: Exchange, content: Content): Promise<Buffer> {
  if (expectation === 'continue') response.writeContinue();
  deadline.pause();
  const bytes = await content.take();
  deadline.resume();
  return bytes;
}

function queryOf(target: string): string {
  const mark = target.indexOf('?');
  return mark === -1 ? '' : target.slice(mark + 1);
}

function options(allow: string): Answer {
  return { status: 204, body: null, cacheControl: noStore, headers: ['Allow', allow] };
}
