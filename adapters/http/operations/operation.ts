import type { Call } from '../../../core/call.ts';
import type { Hold } from '../../../core/feed/feed-follower.ts';
import type { AppKey, Scope } from '../../../core/key/app/app-key.ts';
import type { OperatorKey, OperatorScope } from '../../../core/key/operator/operator-key.ts';
import type { Answer } from '../answer.ts';
import type { AskedMail } from '../limits/guess-counts.ts';
import type { ErrorCode } from '../refusals.ts';
import type { Connection } from '../sessions/connection.ts';
import type { OperationDocs } from './docs/operation-docs.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** A request that has passed the checks of the transport, in the shape of the current edition. */
export interface OperationRequest {
  readonly call: Call;
  /** Path parameters, decoded. */
  readonly parameters: Readonly<Record<string, string | undefined>>;
  /** The raw query, without its question mark. */
  readonly query: string;
  /** The parsed body of an operation that takes one; otherwise undefined. */
  readonly body: unknown;
  /** The raw values of a header field, one for each of its lines. */
  readonly header: (name: string) => readonly string[];
  /** Holds the request until there is something to answer. */
  readonly hold: Hold;
  /** Turns a validator into the one that the edition of the request has for the same content. */
  readonly inEdition: (etag: string) => string;
}

export interface AuthorizedRequest extends OperationRequest {
  readonly appKey: AppKey;
}

export interface OperatorRequest extends OperationRequest {
  readonly operatorKey: OperatorKey;
}

/** The session that a request has brought. */
export interface RequestSession {
  /** The content of the cookie. */
  readonly token: string;
  /** As it is stored now. */
  readonly operatorKey: OperatorKey;
  /** The token in every form of the session. */
  readonly formToken: string;
  readonly connection: Connection;
}

export interface VisitorRequest extends OperationRequest {
  /** Null without one that is open. */
  readonly session: RequestSession | null;
  readonly connection: Connection;
  /** Looks a key up, and counts one that is refused as a guess of the client. */
  readonly countGuess: <T>(lookUp: () => Promise<T>) => Promise<T>;
  /** Looks a link up, and counts one that is unknown. Refuses those above the limit of the client with `rate_limited`. */
  readonly countLink: <T>(lookUp: () => Promise<T>) => Promise<T>;
}

export interface SessionRequest extends OperationRequest {
  readonly session: RequestSession;
}

/** A request that needs no key. */
export interface PublicRequest extends OperationRequest {
  /** Counts a claim that asks another service. Refuses those above the limit of the client with `rate_limited`. */
  readonly admitClaim: () => Promise<void>;
  /** Counts a new trial. Refuses those above the limit of the client with `too_many_trials`. */
  readonly admitTrial: () => Promise<void>;
  /** Counts a request for a mail. Refuses those above the limit of the client with `rate_limited`. */
  readonly admitAskedMail: (what: AskedMail) => Promise<void>;
  /**
   * Looks a license key or the link of a buyer up, and counts one that is unknown. Refuses those above the limit of the client
   * with `rate_limited`.
   */
  readonly countUnknown: <T>(lookUp: () => Promise<T>, what: 'key' | 'link') => Promise<T>;
}

/** The limits of an operation that waits longer than those of clients. */
export interface OperationLimits {
  /** Milliseconds that a request may take, apart from the time in which it is sent. */
  readonly deadline: number;
  /** The refusal of a request at the deadline. */
  readonly atDeadline: ErrorCode;
}

interface OperationBase {
  /** Names the operation in logs, metrics and the OpenAPI document. */
  readonly id: string;
  readonly method: Method;
  /** A pattern of find-my-way: `/api/app-entitlements/:id`. */
  readonly path: string;
  /**
   * `json` is checked and parsed, `optional json` if there is content; `form` is checked and becomes `URLSearchParams`;
   * `raw` becomes a `Buffer`, whatever it is; `ignored` is only limited in size.
   */
  readonly body: 'json' | 'optional json' | 'form' | 'raw' | 'ignored';
  /** Bytes of content that it takes; absent for those of every operation. */
  readonly bodyLimit?: number;
  /** Refuses a request by its header fields, so that its content is not awaited. Absent where nothing is checked. */
  readonly checkHead?: (header: OperationRequest['header'], call: Call) => void;
  /** Absent for the limits of the port. */
  readonly limits?: OperationLimits;
  /** Milliseconds that a request may take beyond the deadline of its calls, because it waits for more than the store. */
  readonly extraTime?: number;
  /** Whether its address is a secret, which no referrer, cache or search engine may learn. */
  readonly hasSecretAddress?: boolean;
  /** Whether pages of other origins may use it. */
  readonly crossOrigin: boolean;
  /**
   * Which error body it has (specification 7.1, 7.2). `page` is HTML; such an operation may share its path and method with
   * one that answers in JSON, and the client's `Accept` decides.
   */
  readonly errors: 'standard' | 'verification' | 'page';
  /** Null if the OpenAPI document leaves it out. */
  readonly docs: OperationDocs<string> | null;
}

export interface PublicOperation extends OperationBase {
  readonly caller: 'anyone';
  handle(request: PublicRequest): Promise<Answer>;
}

export interface AppKeyOperation extends OperationBase {
  readonly caller: 'app';
  readonly access: Scope;
  handle(request: AuthorizedRequest): Promise<Answer>;
}

/** An operation of the administration, on the admin port. */
export interface OperatorOperation extends OperationBase {
  readonly caller: 'operator';
  readonly access: OperatorScope;
  handle(request: OperatorRequest): Promise<Answer>;
}

/** An operation by which a session begins. Its forms come from pages of the port. */
export interface VisitorOperation extends OperationBase {
  readonly caller: 'visitor';
  readonly docs: null;
  handle(request: VisitorRequest): Promise<Answer>;
}

/** An operation of the pages for operators. Its forms come from pages of the session. */
export interface SessionOperation extends OperationBase {
  readonly caller: 'session';
  readonly docs: null;
  /** The scope that the key of the session needs; null for any key. */
  readonly access: OperatorScope | null;
  /** The scope that this key needs, where that depends on the key. */
  readonly accessOf?: (key: OperatorKey) => OperatorScope;
  handle(request: SessionRequest): Promise<Answer>;
}

/** A row of the routing table. Who may call it decides which key it needs. */
export type Operation = PublicOperation | AppKeyOperation | OperatorOperation | VisitorOperation | SessionOperation;

/** An operation that the OpenAPI document describes. */
export type DescribedOperation = Operation & { readonly docs: OperationDocs<string> };
