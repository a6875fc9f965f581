import type { AuthorizeKey } from '../../../core/key/check-key.ts';
import { reachOf, type OperatorScope } from '../../../core/key/operator/operator-key.ts';
import type { FindOperatorSession } from '../../../core/operator-session/operator-sessions.ts';
import type { Answer } from '../answer.ts';
import type { RequestSession, SessionOperation, VisitorOperation } from '../operations/operation.ts';
import { refuse } from '../refusals.ts';
import { isOwnForm, type ConnectionOf } from '../sessions/connection.ts';
import { sessionTokenIn } from '../sessions/session-cookie.ts';
import type { Exchange } from './exchange.ts';
import type { RateLimiter } from './rate-limiter.ts';

/** The settings of a port with sessions. */
export interface SessionsOfPort {
  readonly find: FindOperatorSession;
  /** The token of the forms of a session. */
  readonly formToken: (sessionToken: string) => string;
  /** Whether a presented text is the token of the forms of a session. */
  readonly isFormToken: (presented: string, sessionToken: string) => boolean;
  readonly connectionOf: ConnectionOf;
  /** Leads to where to sign in before going on to the target of a request. */
  readonly signInFor: (target: string) => Answer;
}

export interface SessionCheckSettings {
  /** Null for a port whose operations have no sessions. */
  readonly sessions: SessionsOfPort | null;
  readonly authorizeOperator: AuthorizeKey<OperatorScope>;
  /** Null if rate limits are off. */
  readonly rateLimiter: RateLimiter | null;
}

/** Runs the checks of requests with sessions. */
export class SessionChecks {
  readonly #settings: SessionCheckSettings;

  constructor(settings: SessionCheckSettings) {
    this.#settings = settings;
  }

  /** Checks where a request for somebody without a session comes from, and finds the session that there may be. */
  async admitVisitor(exchange: Exchange, { id, method }: VisitorOperation): Promise<RequestSession | null> {
    await this.#settings.rateLimiter?.admitAddress(id, exchange);
    this.#checkOrigin(exchange, method);
    return this.#find(exchange);
  }

  /**
   * Finds the session of a request, and checks its scope. Returns where to sign in for a request that only reads and has no
   * session; refuses any other with `invalid_session`.
   */
  async admit(
    exchange: Exchange,
    { id, method, access, accessOf }: SessionOperation,
  ): Promise<RequestSession | Answer> {
    const { authorizeOperator, rateLimiter, sessions } = this.#settings;
    this.#checkOrigin(exchange, method);
    const session = await this.#find(exchange);
    if (session === null) {
      if (method !== 'GET' || sessions === null) throw refuse('invalid_session');
      return sessions.signInFor(exchange.request.url ?? '');
    }
    const { operatorKey } = session;
    exchange.identify(`operator:${operatorKey.id}`, reachOf(operatorKey));
    await rateLimiter?.admitMerchant(exchange, operatorKey);
    await rateLimiter?.admitSubject(id, exchange, operatorKey.id);
    const scope = accessOf?.(operatorKey) ?? access;
    if (scope !== null) authorizeOperator(operatorKey, scope, exchange.call);
    return session;
  }

  /** Refuses a form without the token of the session: `invalid_token`. */
  checkForm(body: unknown, { token }: RequestSession): void {
    const presented = body instanceof URLSearchParams ? (body.get('token') ?? '') : '';
    if (this.#settings.sessions?.isFormToken(presented, token) !== true) throw refuse('invalid_token');
  }

  #checkOrigin({ request }: Exchange, method: SessionOperation['method']): void {
    const connection = this.#settings.sessions?.connectionOf(request) ?? { kind: 'insecure' };
    if (method !== 'GET' && !isOwnForm(request, connection)) throw refuse('foreign_origin');
  }

  async #find(exchange: Exchange): Promise<RequestSession | null> {
    const { sessions } = this.#settings;
    if (sessions === null) return null;
    const { request, call } = exchange;
    const connection = sessions.connectionOf(request);
    const token = sessionTokenIn(request.headers.cookie, connection);
    const open = token === null ? null : await sessions.find(token, call);
    if (token === null || open === null) return null;
    exchange.session = { token, operatorKey: open.operatorKey, formToken: sessions.formToken(token), connection };
    return exchange.session;
  }
}
