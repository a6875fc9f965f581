import type { SchemaObject } from 'ajv/dist/2020.js';
import { constant, listOf, named, objectOf } from '../../docs/schema-parts.ts';

/** An instant in a request: RFC 3339 with any offset, from 1970 to 8999. */
export const requestInstant: SchemaObject = {
  type: 'string',
  format: 'date-time',
  pattern: '^(?:19[7-9][0-9]|[2-8][0-9]{3})-',
};

/** A name for display: not blank, one line. */
export const displayName: SchemaObject = {
  type: 'string',
  maxLength: 200,
  pattern: `^${characters('')}*${characters('\\s\\ufeff')}${characters('')}*$`,
  format: 'well-formed',
};

function characters(without: string): string {
  return `[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029${without}]`;
}

/** The schema of a member that may be null, which is the same as leaving it out. */
export function orNull(schema: SchemaObject): SchemaObject {
  if ('$ref' in schema) return { anyOf: [schema, { type: 'null' }] };
  const values: unknown = schema['enum'];
  return { ...schema, type: [schema['type'], 'null'], ...(Array.isArray(values) && { enum: [...values, null] }) };
}

/** The body of a request: it has no other members, and those that are not required may be null. */
export function requestOf(
  required: Readonly<Record<string, SchemaObject>>,
  optional: Readonly<Record<string, SchemaObject>> = {},
): SchemaObject {
  const nullable = Object.entries(optional).map(([name, schema]): [string, SchemaObject] => [name, orNull(schema)]);
  return {
    type: 'object',
    required: Object.keys(required),
    properties: { ...required, ...Object.fromEntries(nullable) },
    additionalProperties: false,
  };
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
