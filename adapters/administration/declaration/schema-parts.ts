import type { SchemaObject } from 'ajv/dist/2020.js';

export const text: SchemaObject = { type: 'string' };
export const nullableText: SchemaObject = { type: ['string', 'null'] };
export const anyObject: SchemaObject = { type: 'object', additionalProperties: true };
export const flag: SchemaObject = { type: 'boolean' };
export const count: SchemaObject = { type: 'integer', minimum: 0 };
export const instant: SchemaObject = { type: 'string', format: 'date-time' };
export const nullableInstant: SchemaObject = { type: ['string', 'null'], format: 'date-time' };

/** The schema of `instantRule`: RFC 3339 with any offset, from 1970 to 8999. */
export const writtenInstant: SchemaObject = {
  type: 'string',
  format: 'date-time',
  pattern: '^(?:19[7-9][0-9]|[2-8][0-9]{3})-',
};

/** A reference to a named schema. */
export function named(name: string): SchemaObject {
  return { $ref: `#/components/schemas/${name}` };
}

export function described(description: string, schema: SchemaObject): SchemaObject {
  return { ...schema, description };
}

/** One of the values. The type is named because code generators need it, though the values imply it. */
export function enumOf(values: readonly (string | number)[]): SchemaObject {
  return { type: values.every((value) => typeof value === 'number') ? 'integer' : 'string', enum: values };
}

export function constant(value: string | boolean): SchemaObject {
  return { type: typeof value, const: value };
}

export function listOf(items: SchemaObject): SchemaObject {
  return { type: 'array', items };
}

/** An object with these members, and those that a later release adds. */
export function objectOf(
  properties: Readonly<Record<string, SchemaObject>>,
  { optional = [] }: { readonly optional?: readonly string[] } = {},
): SchemaObject {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: 'object', required, properties };
}

/**
 * A value that has an effect, or any other text, which is accepted and has none (docs/reference/decisions.md, "Query parameters").
 * The extension lets Go clients of oapi-codegen pass what has an effect: they could set no union in a parameter.
 */
export function lenient(effective: SchemaObject, byDefault?: string | number): SchemaObject {
  return {
    anyOf: [effective, text],
    ...(byDefault !== undefined && { default: byDefault }),
    'x-go-type': goTypeOf(effective),
  };
}

function goTypeOf({ $ref }: SchemaObject): string {
  return typeof $ref === 'string' ? $ref.slice($ref.lastIndexOf('/') + 1) : 'int';
}

/** The schema of a member that may be null, which is the same as leaving it out. */
export function orNull(schema: SchemaObject): SchemaObject {
  if ('$ref' in schema) return { anyOf: [schema, { type: 'null' }] };
  const choices: unknown = schema['anyOf'];
  if (Array.isArray(choices)) return { ...schema, anyOf: [...choices, { type: 'null' }] };
  const values: unknown = schema['enum'];
  return { ...schema, type: [schema['type'], 'null'], ...(Array.isArray(values) && { enum: [...values, null] }) };
}

/** The answer with a named value. */
export function answerOf(name: string): SchemaObject {
  return objectOf({ success: constant(true), data: named(name), correlationId: named('CorrelationId') });
}

/** The answer with a page of named values, in the administration. */
export function pageOf(name: string): SchemaObject {
  return objectOf({
    success: constant(true),
    data: listOf(named(name)),
    meta: named('ListMeta'),
    correlationId: named('CorrelationId'),
  });
}

/** The answer with all of some named values, without pages. */
export function listAnswerOf(name: string): SchemaObject {
  return objectOf({ success: constant(true), data: listOf(named(name)), correlationId: named('CorrelationId') });
}

/** One line of 1 to `maxLength` characters, not blank, without control characters and the excluded ones. */
export function lineWithout(excluded: string, maxLength: number): SchemaObject {
  const any = charactersWithout(excluded);
  return {
    type: 'string',
    maxLength,
    pattern: `^${any}*${charactersWithout(`\\s\\ufeff${excluded}`)}${any}*$`,
    format: 'well-formed',
  };
}

/** A class of characters that are no control characters and not among some others. */
export function charactersWithout(excluded: string): string {
  return `[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029${excluded}]`;
}
