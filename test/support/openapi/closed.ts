import { operationsOf, type OpenApiDocument } from './document.ts';

/**
 * A document whose answers have exactly the members that it defines. The published one is open, so that a later release can
 * add members; the service of this release must not. Request bodies stay open: the service ignores what it does not know.
 */
export function closed(document: OpenApiDocument): OpenApiDocument {
  const requests = operationsOf(document).flatMap(({ operation: { requestBody } }) =>
    requestBody === undefined ? [] : [requestBody.content['application/json'].schema.$ref.split('/').at(-1)],
  );
  const schemas = Object.entries(document.components.schemas).map(([name, schema]): [string, typeof schema] => [
    name,
    requests.includes(name) ? schema : (closedSchema(schema) as typeof schema),
  ]);
  return { ...document, components: { ...document.components, schemas: Object.fromEntries(schemas) } };
}

function closedSchema(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closedSchema);
  if (typeof value !== 'object' || value === null) return value;
  const inner = Object.fromEntries(Object.entries(value).map(([key, each]) => [key, closedSchema(each)]));
  return 'properties' in value ? { additionalProperties: false, ...inner } : inner;
}
