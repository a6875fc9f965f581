import type { SchemaObject } from 'ajv/dist/2020.js';
import { defaultPageSize, maxPageSize } from '../../../../../core/paging/page.ts';
import type { ParameterDocs } from '../../docs/operation-docs.ts';
import { named, text } from '../../docs/schema-parts.ts';

export function queryParameter(name: string, description: string, schema: SchemaObject): ParameterDocs {
  return { name, in: 'query', description, schema };
}

/** A parameter of the path. What nothing can be called is not found. */
export function pathParameter(name: string, description: string): ParameterDocs {
  return { name, in: 'path', required: true, description, schema: named('Identifier') };
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
