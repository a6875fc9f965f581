import type { DocumentNode } from '../../adapters/http/openapi/components.ts';
import { commentOf, heading, mentions, namesIn, schemasOf, typeOf, type Schema } from './client-models.ts';
import { formatted } from './repository.ts';

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly description?: string;
  readonly schema: Schema & { readonly 'x-go-type'?: string };
}

interface Content {
  readonly content: { readonly 'application/json': { readonly schema: Schema } };
}

interface Described {
  readonly tags: readonly [string];
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[];
  readonly requestBody?: Content & { readonly required: boolean };
  readonly responses: { readonly 200: Content };
}

/** An operation of the administration, and the method of the client that calls it. */
interface ClientMethod {
  readonly resource: string;
  readonly name: string;
  readonly httpMethod: string;
  readonly path: string;
  readonly operation: Described;
  /** The schema of the whole answer. */
  readonly answer: string;
}

/** The schemas that the methods of `LatchkeyAdmin` take and return. */
export function adminRoots(document: DocumentNode): readonly string[] {
  const schemas = schemasOf(document);
  const names = methodsOf(document).flatMap(({ answer, operation }) => [
    isPage(schemas, answer) ? answer : namesIn(dataOf(schemas, answer)),
    namesIn(bodyOf(operation) ?? {}),
    ...queryOf(operation).map(({ schema }) => namesIn(schema)),
  ]);
  return [...new Set(names.flat()), 'ErrorCode'];
}

/** Writes a class for each kind of resource, with a method for each operation of the administration. */
export async function adminResources(path: string, document: DocumentNode): Promise<string> {
  const schemas = schemasOf(document);
  const methods = methodsOf(document);
  const classes = [...Map.groupBy(methods, ({ resource }) => resource)].map(
    ([resource, own]) => `
      ${own.map((method) => queryInterface(method)).join('\n')}
      export class ${resource} extends Resource {
        ${own.map((method) => methodText(method, schemas)).join('\n')}
      }`,
  );
  const types = adminRoots(document).filter((name) => classes.some((text) => mentions(text, name)));
  const items = methods.flatMap(({ answer }) => (isPage(schemas, answer) ? namesIn(dataOf(schemas, answer)) : []));
  const imports = [
    `import type { CallOptions } from '../request.ts';`,
    `import type { ${[...new Set([...types, ...items])].toSorted().join(', ')} } from './models.ts';`,
    `import { itemsOf, pathWith, Resource, type PageQuery } from './resource.ts';`,
  ];
  return formatted(path, [heading, ...imports, ...classes].join('\n'));
}

function methodsOf(document: DocumentNode): readonly ClientMethod[] {
  const { paths } = document as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  };
  return Object.entries(paths)
    .flatMap(([path, operations]) =>
      Object.entries(operations).map(([method, operation]) => ({
        resource: pascal(operation.tags[0]),
        name: nameOf(operation, path),
        httpMethod: method.toUpperCase(),
        path,
        operation,
        answer: namesIn(operation.responses[200].content['application/json'].schema)[0] ?? '',
      })),
    )
    .filter(({ resource }) => resource !== 'Service');
}

/** A method is named after the verb of its operation, or else after the last part of its path. */
function nameOf({ operationId }: Described, path: string): string {
  const [verb] = /^(?:list|issue|add|put|delete|endLinks)/.exec(operationId) ?? [];
  if (verb !== undefined) return verb;
  return path.endsWith('}')
    ? 'get'
    : path.slice(path.lastIndexOf('/') + 1).replace(/-(.)/g, (_, letter) => letter.toUpperCase());
}

function methodText(method: ClientMethod, schemas: Readonly<Record<string, Schema>>): string {
  const { name, operation, answer } = method;
  const comment = commentOf({ description: [operation.summary, operation.description ?? []].flat().join(' ') });
  const parameters = pathNames(method).map((each) => `${each}: string`);
  const tag = parameters.length === 0 ? '' : 'pathWith';
  const path = `${tag}\`${method.path.replace(/\{(\w+)\}/g, (_, each) => `\${${each}}`)}\``;
  if (isPage(schemas, answer)) {
    const [item = ''] = namesIn(dataOf(schemas, answer));
    const optional = queryOf(operation).every((each) => !isRequired(each)) ? ' = {}' : '';
    const query = `query: ${queryName(method)}${optional}`;
    const own = [...pathNames(method), '{ ...query, after }', 'options'].join(', ');
    const [head, options] = [parameters, 'options: CallOptions = {}'];
    return `${comment}${name}(${[...head, query, options].join(', ')}): Promise<${answer}> {
        return this.pageOf(${path}, query, options);
      }
      /** The items of all pages, one after another. */
      all(${[...head, query, options].join(', ')}): AsyncGenerator<${item}, void, undefined> {
        return itemsOf(query.after, (after) => this.${name}(${own}));
      }`;
  }
  const body = bodyOf(operation);
  const hasBody =
    body === undefined ? [] : [`body: ${typeOf(body)}${operation.requestBody?.required === true ? '' : ' = {}'}`];
  const guard = guardOf(schemas, body);
  const sent = guard === null ? 'body' : `{ ...body, ${guard}: body.${guard} ?? crypto.randomUUID() }`;
  const data = typeOf(dataOf(schemas, answer));
  const tried = isSafeOnlyWith(schemas, body, 'from')
    ? '{ ...options, ...((body.from ?? null) === null && { retries: 0 }) }'
    : 'options';
  const call = [`'${method.httpMethod}'`, path, tried, ...(body === undefined ? [] : [sent])].join(', ');
  if (data === 'unknown') throw new Error(`${operation.operationId} has no data`);
  return `${comment}${name}(${[...parameters, ...hasBody, 'options: CallOptions = {}'].join(', ')}): Promise<${data}> {
      return this.dataOf(${call});
    }`;
}

/** The member of a body that makes it safe to repeat, and that a caller may leave out. */
function guardOf(schemas: Readonly<Record<string, Schema>>, body: Schema | undefined): string | null {
  const properties = propertiesOf(schemas, body);
  return ['id', 'newId'].find((name) => name in properties) ?? null;
}

/** Whether a body has an optional member without which a request must not be repeated. */
function isSafeOnlyWith(schemas: Readonly<Record<string, Schema>>, body: Schema | undefined, name: string): boolean {
  return name in propertiesOf(schemas, body) && !requiredOf(schemas, body).includes(name);
}

function propertiesOf(schemas: Readonly<Record<string, Schema>>, body: Schema | undefined): object {
  return schemas[namesIn(body ?? {})[0] ?? '']?.properties ?? {};
}

function requiredOf(schemas: Readonly<Record<string, Schema>>, body: Schema | undefined): readonly string[] {
  return schemas[namesIn(body ?? {})[0] ?? '']?.required ?? [];
}

/** The members of `PageQuery`, as most lists have them. */
const pageMembers: readonly string[] = [
  '/** The maximum number of items. */\nreadonly limit?: number | undefined;',
  '/** The `next` of the page before, of the same list; absent for the first page. */\nreadonly after?: string | undefined;',
];

function queryInterface(method: ClientMethod): string {
  if (queryOf(method.operation).length === 0) return '';
  const members = queryOf(method.operation).map(({ name, description, schema, ...others }) => {
    const effective = schema['x-go-type'] === undefined ? schema : (schema.anyOf?.[0] ?? schema);
    const optional = isRequired(others) ? '' : '?';
    return `${commentOf(description === undefined ? {} : { description })}readonly ${name}${optional}: ${typeOf(effective)}${optional && ' | undefined'};`;
  });
  const own = members.filter((member) => !pageMembers.includes(member));
  if (own.length === 0) return `export type ${queryName(method)} = PageQuery;\n`;
  const base = own.length === members.length ? '' : 'extends PageQuery';
  return `export interface ${queryName(method)} ${base} {\n${own.join('\n')}\n}`;
}

function queryName({ resource }: ClientMethod): string {
  return `${resource}Query`;
}

function isRequired(parameter: object): boolean {
  return 'required' in parameter && parameter.required === true;
}

function queryOf({ parameters = [] }: Described): readonly Parameter[] {
  return parameters.flatMap((each) => ('in' in each && each.in === 'query' ? [each] : []));
}

function pathNames({ path }: ClientMethod): readonly string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
}

function bodyOf({ requestBody }: Described): Schema | undefined {
  return requestBody?.content['application/json'].schema;
}

function dataOf(schemas: Readonly<Record<string, Schema>>, answer: string): Schema {
  return schemas[answer]?.properties?.['data'] ?? {};
}

function isPage(schemas: Readonly<Record<string, Schema>>, answer: string): boolean {
  return schemas[answer]?.properties?.['meta'] !== undefined;
}

function pascal(words: string): string {
  return words.replace(/(?:^| )(.)/g, (_, letter) => letter.toUpperCase());
}
