import type { SchemaObject } from 'ajv/dist/2020.js';
import { defaultPageSize, maxPageSize } from '../../../../../core/paging/page.ts';
import { named, text } from '../../../../administration/declaration/schema-parts.ts';
import type { OperationDocs, ParameterDocs, Tag } from '../../docs/operation-docs.ts';

/** The documentation of an operation of the administration. */
export type AdminDocs = OperationDocs<string>;

export const receipts: Tag = { name: 'Receipts', description: 'Proofs of licenses for machines without a network.' };
export const events: Tag = { name: 'Events', description: 'What happened to entitlements.' };
export const service: Tag = { name: 'Service', description: 'What the interface says about itself.' };

export function queryParameter(name: string, description: string, schema: SchemaObject): ParameterDocs {
  return { name, in: 'query', description, schema };
}

/** A parameter of the path. A value that no id can have is answered like an unknown one. */
export function pathParameter(
  name: string,
  description: string,
  schema: SchemaObject = named('Identifier'),
): ParameterDocs {
  return { name, in: 'path', required: true, description, schema };
}

/** The parameters of every list. */
export const listParameters: readonly ParameterDocs[] = [
  queryParameter('limit', 'The maximum number of items.', {
    type: 'integer',
    minimum: 1,
    maximum: maxPageSize,
    default: defaultPageSize,
  }),
  queryParameter('after', 'The `next` of the page before, of the same list; absent for the first page.', text),
];
