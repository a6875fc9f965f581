import type { SchemaObject } from 'ajv/dist/2020.js';
import { constant, listOf, named, objectOf } from '../../docs/schema-parts.ts';

/** The schema of a member that may be null, which is the same as leaving it out. */
export function orNull(schema: SchemaObject): SchemaObject {
  if ('$ref' in schema) return { anyOf: [schema, { type: 'null' }] };
  const values: unknown = schema['enum'];
  return { ...schema, type: [schema['type'], 'null'], ...(Array.isArray(values) && { enum: [...values, null] }) };
}

/** The answer with a named value. */
export function answerOf(name: string): SchemaObject {
  return objectOf({ success: constant(true), data: named(name), correlationId: named('CorrelationId') });
}

/** The answer with a page of named values. */
export function pageOf(name: string): SchemaObject {
  return objectOf({
    success: constant(true),
    data: listOf(named(name)),
    meta: named('ListMeta'),
    correlationId: named('CorrelationId'),
  });
}
