import type { AppKey } from '../../../core/access/app-key.ts';
import type { Scope } from '../../../core/access/scope.ts';
import type { Call } from '../../../core/call.ts';
import type { Answer } from '../answer.ts';
import type { OperationDocs } from './docs/operation-docs.ts';

export type Method = 'GET' | 'POST';

/** A request of an operation, after every check of the transport, in the shape of the current edition. */
export interface OperationRequest {
  readonly call: Call;
  /** Path parameters, decoded. */
  readonly parameters: Readonly<Record<string, string | undefined>>;
  /** The raw query, without its question mark. */
  readonly query: string;
  /** The JSON value of the body, for operations that take one; otherwise undefined. */
  readonly body: unknown;
  /** The raw values of a header field, one for each of its lines. */
  readonly header: (name: string) => readonly string[];
}

export interface AuthorizedRequest extends OperationRequest {
  readonly appKey: AppKey;
}

interface OperationBase {
  /** Stands in logs, metrics and the OpenAPI document. */
  readonly id: string;
  readonly method: Method;
  /** In find-my-way's syntax: `/api/app-entitlements/:id`. */
  readonly path: string;
  /** `json` is read, checked and parsed; `ignored` is only held against the size limit. */
  readonly body: 'json' | 'ignored';
  /** Whether pages of other origins may use it: the public operations and the RFC 9728 metadata. */
  readonly crossOrigin: boolean;
  /** Which of the two error bodies the specification gives the operation (7.1, 7.2). */
  readonly errors: 'standard' | 'verification';
  /** Null for one that is not part of the public interface. */
  readonly docs: OperationDocs | null;
}

export interface PublicOperation extends OperationBase {
  readonly access: 'public';
  handle(request: OperationRequest): Promise<Answer>;
}

export interface AppKeyOperation extends OperationBase {
  readonly access: Scope;
  handle(request: AuthorizedRequest): Promise<Answer>;
}

/** One row of the table of routes. */
export type Operation = PublicOperation | AppKeyOperation;

/** One that the OpenAPI document describes. */
export type DescribedOperation = Operation & { readonly docs: OperationDocs };
