import type { SchemaObject } from 'ajv/dist/2020.js';
import type { Scope } from '../../../../core/access/scope.ts';
import type { schemas } from './schemas.ts';
import type { ErrorCode } from '../../refusals.ts';

/** What the OpenAPI document says of an operation, besides what the row itself and its checks say. */
export interface OperationDocs {
  readonly summary: string;
  /** Of path, query and header; those that every operation has are not repeated. */
  readonly parameters?: readonly ParameterDocs[];
  /** The schema that the body is checked with. */
  readonly request?: SchemaObject;
  /** A request body that gets the example answer. */
  readonly requestExample?: unknown;
  /** The example is what the examples of the parameters and of the body get; absent where it would be this document. */
  readonly success: { readonly description: string; readonly schema: keyof typeof schemas; readonly example?: unknown };
  /** Header fields of the success by name. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The refusals that are the operation's own. */
  readonly refusals: readonly ErrorCode[];
  /** The scope that a public operation accepts although it needs none (specification 4.1 to 4.4). */
  readonly acceptedScope?: Scope;
}

export interface ParameterDocs {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly description: string;
  readonly schema: SchemaObject;
  readonly required?: true;
  readonly example?: string;
}
