import type { SchemaObject } from 'ajv/dist/2020.js';
import type { Scope } from '../../../../core/key/app/app-key.ts';
import type { ErrorCode } from '../../refusals.ts';
import type { SchemaName } from './schemas.ts';

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
    /** The meaning of a 201, if there is one; it has the schema of the 200. */
    readonly created?: string;
    readonly schema: Name;
    readonly example?: unknown;
    /** Default: `application/json`. */
    readonly mediaType?: string;
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

/** A group of operations in the OpenAPI document. */
export interface Tag {
  readonly name: string;
  readonly description: string;
}

export const marketplace: Tag = { name: 'Marketplace', description: 'Live listings, for anyone.' };
export const waitlist: Tag = { name: 'Waitlist', description: 'Sign-ups of people who want to hear more.' };
export const licenses: Tag = { name: 'Licenses', description: "Checks of buyers' license keys, for apps." };
export const entitlements: Tag = {
  name: 'Entitlements',
  description: "What buyers bought, for merchants' servers. These operations need an app key.",
};
export const events: Tag = {
  name: 'Events',
  description: "What happened to entitlements, for merchants' servers. The operation needs an app key.",
};
export const service: Tag = { name: 'Service', description: 'What the service says about itself.' };
