import { format, resolveConfig } from 'prettier';
import type { DocumentNode } from '../../adapters/http/openapi/document-node.ts';
import { fileOf } from './repository.ts';

/** The schemas that the methods of the client take and return. Those that they refer to are written as well. */
const roots = [
  'ListingPage',
  'ListingSort',
  'CompensationFilter',
  'MinCommission',
  'MinStorefronts',
  'WaitlistSignUp',
  'LicensedEntitlement',
  'Entitlement',
  'EventFeed',
  'ErrorCode',
] as const;

const heading = '// Written by `npm run docs` from the OpenAPI document. Change the schemas of the service instead.\n';

/** The members of the data of an event that only some types have. */
const ownMembers: Readonly<Record<string, readonly string[]>> = {
  reason: ['entitlement.ended'],
  license: ['license.rotated', 'license.revoked'],
};

/** A schema, as far as those of the service go. */
interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly description?: string;
}

/** An event narrows by its type: the members that only some types have are required there, and nowhere else. */
function eventUnion(data: Schema): string {
  const special = Object.entries(ownMembers).map(([member, types]) => {
    const schema = data.properties?.[member] ?? {};
    const own = `{\n${commentOf(schema)}readonly ${member}: ${typeOf(schema)}; }`;
    return `EventOf<${types.map((type) => JSON.stringify(type)).join(' | ')}, EventData & ${own}>`;
  });
  const others = Object.values(ownMembers)
    .flat()
    .map((type) => JSON.stringify(type));
  return `/** Narrows by its \`type\`. */
    export type Event = ${[...special, `EventOf<Exclude<EventType, ${others.join(' | ')}>, EventData>`].join(' | ')};\n`;
}

/** Writes the client's types, and the edition that it asks for, from the OpenAPI document. */
export async function clientModels(path: string, document: DocumentNode): Promise<string> {
  const { components } = document as {
    readonly components: {
      readonly schemas: Readonly<Record<string, Schema>> & { readonly ApiVersion: { readonly default: string } };
    };
  };
  const edition = `/** The edition of the interface that this client was made for. */\nexport const edition = '${components.schemas.ApiVersion.default}';\n`;
  const types = reached(components.schemas).map(([name, schema]) => typesOf(name, schema, components.schemas));
  const options = await resolveConfig(fileOf(path));
  return format([heading, edition, ...types].join('\n'), { ...options, parser: 'typescript' });
}

/** The roots and the schemas that they refer to, in the order of the document. */
function reached(schemas: Readonly<Record<string, Schema>>): readonly (readonly [string, Schema])[] {
  const names = new Set<string>();
  const visit = (name: string): void => {
    const schema = schemas[name];
    if (schema === undefined) throw new Error(`the OpenAPI document has no schema ${name}`);
    if (names.has(name)) return;
    names.add(name);
    for (const [, used = ''] of JSON.stringify(schema).matchAll(/"#\/components\/schemas\/(\w+)"/g)) visit(used);
  };
  for (const root of roots) visit(root);
  return Object.entries(schemas).filter(([name]) => names.has(name));
}

function typesOf(name: string, schema: Schema, schemas: Readonly<Record<string, Schema>>): string {
  if (name === 'EventData') return declarationOf(name, without(schema, Object.keys(ownMembers)));
  if (name !== 'Event') return declarationOf(name, schema);
  const { type: _, data: __, ...others } = schema.properties ?? {};
  const head = 'EventOf<Type extends EventType, Data>';
  const members = { ...schema, properties: { ...others, type: { $ref: 'Type' }, data: { $ref: 'Data' } } };
  return `${declarationOf(head, members).replace('export ', '')}\n${eventUnion(schemas['EventData'] ?? {})}`;
}

function without(schema: Schema, names: readonly string[]): Schema {
  const properties = Object.entries(schema.properties ?? {}).filter(([name]) => !names.includes(name));
  return { ...schema, properties: Object.fromEntries(properties) };
}

function declarationOf(name: string, schema: Schema): string {
  const comment = commentOf(schema);
  if (schema.type === 'object') return `${comment}export interface ${name} ${typeOf(schema)}\n`;
  return `${comment}export type ${name} = ${typeOf(schema)};\n`;
}

function typeOf(schema: Schema): string {
  if (schema.$ref !== undefined) return schema.$ref.replace('#/components/schemas/', '');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  const parts = schema.anyOf ?? schema.oneOf;
  if (parts !== undefined) return parts.map(typeOf).join(' | ');
  const types = [schema.type ?? []].flat();
  if (types.length === 0) return 'unknown';
  return types.map((type) => typeNamed(type, schema)).join(' | ');
}

function typeNamed(type: string, schema: Schema): string {
  switch (type) {
    case 'string':
    case 'boolean':
    case 'null':
    case 'number':
      return type;
    case 'integer':
      return 'number';
    case 'array':
      return `readonly (${typeOf(schema.items ?? {})})[]`;
    case 'object':
      return objectOf(schema);
    default:
      throw new Error(`the client has no type for ${type}`);
  }
}

function objectOf({ properties = {}, required = [] }: Schema): string {
  const members = Object.entries(properties).map(([name, schema]) => {
    const optional = required.includes(name) ? '' : '?';
    return `${commentOf(schema)}readonly ${name}${optional}: ${typeOf(schema)}${optional && ' | undefined'};`;
  });
  return members.length === 0 ? '{ readonly [name: string]: unknown }' : `{\n${members.join('\n')}\n}`;
}

function commentOf({ description }: Schema): string {
  return description === undefined ? '' : `/** ${description} */\n`;
}
