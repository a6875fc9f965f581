import type { SchemaObject } from 'ajv/dist/2020.js';
import type { Scope } from '../../../../core/key/app/scope.ts';
import type { ErrorCode } from '../../refusals.ts';
import type { SchemaName } from './schemas.ts';
import type { Tag } from './tags.ts';

/**
 * The part of an operation's description in the OpenAPI document that cannot be derived from the operation itself. `Name` is
 * that of a schema of its interface.
 */
export interface OperationDocs<Name extends string = SchemaName> {
  readonly tag: Tag;
  readonly summary: string;
  /** Markdown. */
  readonly description: string;
  /** Without the header parameters that every operation has. */
  readonly parameters?: readonly ParameterDocs[];
  /** The body: its schema, and an example whose answer is the example of the success. */
  readonly request?: { readonly schema: Name; readonly example: unknown };
  /** The example is the answer to a request with the example parameters and body; absent if it would be this document. */
  readonly success: {
    readonly description: string;
    /** What a 201 means, if there is one; it has the schema of the 200. */
    readonly created?: string;
    readonly schema: Name;
    readonly example?: unknown;
  };
  /** The names of the success's own header fields. */
  readonly headers?: readonly string[];
  /** Whether browsers get a page at the same path. */
  readonly hasPage?: true;
  /** The refusals that only this operation has. */
  readonly refusals: readonly ErrorCode[];
  /** The scope that a public operation accepts but does not need (specification 4.1 to 4.4). */
  readonly acceptedScope?: Scope;
}

export interface ParameterDocs {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly description: string;
  readonly schema: SchemaObject;
  readonly required?: true;
  readonly example?: string | number;
}
