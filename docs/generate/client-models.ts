import type { DocumentNode } from '../../adapters/http/openapi/components.ts';
import { endReasons } from '../../adapters/http/operations/docs/event-schemas.ts';
import { endingReasons } from '../../core/entitlement/event/ending-soon.ts';
import { releaseReasons } from '../../core/entitlement/event/entitlement-event.ts';
import { formatted } from './repository.ts';

/** The schemas that the methods of `LatchkeyClient` take and return. Those that they refer to are written as well. */
const publicRoots = [
  'ListingPage',
  'ListingSort',
  'CompensationFilter',
  'MinCommission',
  'MinStorefronts',
  'WaitlistSignUp',
  'LicensedEntitlement',
  'IssuedReceipt',
  'StartedTrial',
  'DeviceActivation',
  'DeviceDeactivation',
  'LicenseDevices',
  'Entitlement',
  'EventFeed',
  'ErrorCode',
] as const;

/** The first line of a file of the client that is written from an OpenAPI document. */
export const heading =
  '// Written by `npm run docs` from the OpenAPI document. Change the operations of the service instead.\n';

/** The members of the data of an event that only some types have. */
interface OwnMembers {
  readonly types: readonly string[];
  readonly members: readonly string[];
  /** Those of the values of `reason` that these types have. */
  readonly reasons?: readonly string[];
}

const ownMembers: readonly OwnMembers[] = [
  { types: ['entitlement.ended'], members: ['reason'], reasons: endReasons },
  { types: ['entitlement.ending_soon'], members: ['reason', 'endsAt'], reasons: endingReasons },
  { types: ['device.activated'], members: ['device'] },
  { types: ['device.released'], members: ['device', 'reason'], reasons: releaseReasons },
  { types: ['license.rotated', 'license.moved', 'license.revoked'], members: ['license'] },
];

/** A schema, as far as those of the service go. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly additionalProperties?: boolean | Schema;
  readonly description?: string;
}

/** An event narrows by its type: the members that only some types have are required there, and nowhere else. */
function eventUnion(data: Schema): string {
  const special = ownMembers.map(({ types, members, reasons }) => {
    const own = members.map((member) => {
      const schema = data.properties?.[member] ?? {};
      const narrow = member === 'reason' && reasons !== undefined ? { ...schema, enum: reasons } : schema;
      return `${commentOf(narrow)}readonly ${member}: ${typeOf(narrow)};`;
    });
    const names = types.map((type) => JSON.stringify(type)).join(' | ');
    return `EventOf<${names}, EventData & {\n${own.join('\n')} }>`;
  });
  const others = ownMembers.flatMap(({ types }) => types.map((type) => JSON.stringify(type)));
  return `/** Narrows by its \`type\`. */
    export type Event = ${[...special, `EventOf<Exclude<EventType, ${others.join(' | ')}>, EventData>`].join(' | ')};\n`;
}

type Schemas = Readonly<Record<string, Schema>>;

export function schemasOf(document: DocumentNode): Schemas {
  return (document as { readonly components: { readonly schemas: Schemas } }).components.schemas;
}

/** Writes the types of `LatchkeyClient`, and the edition that it asks for, from the OpenAPI document. */
export async function clientModels(path: string, document: DocumentNode): Promise<string> {
  const schemas = schemasOf(document) as Schemas & { readonly ApiVersion: { readonly default: string } };
  const edition = `/** The edition of the interface that this client was made for. */\nexport const edition = '${schemas.ApiVersion.default}';\n`;
  return formatted(path, [heading, edition, ...declarationsOf(schemas, publicRoots).values()].join('\n'));
}

/** Writes the types of `LatchkeyAdmin` from its OpenAPI document. Those that `LatchkeyClient` has, too, are the same. */
export async function adminModels(
  path: string,
  document: DocumentNode,
  publicDocument: DocumentNode,
  roots: readonly string[],
): Promise<string> {
  const known = declarationsOf(schemasOf(publicDocument), publicRoots);
  const declarations = declarationsOf(schemasOf(document), roots);
  const shared = [...declarations].filter(([name, text]) => known.get(name) === text).map(([name]) => name);
  const own = [...declarations].filter(([name]) => !shared.includes(name)).map(([, text]) => text);
  const used = shared.filter((name) => own.some((text) => mentions(text, name)));
  const imported = `import type { ${used.join(', ')} } from '../models.ts';\nexport type { ${shared.join(', ')} } from '../models.ts';\n`;
  return formatted(path, [heading, imported, ...own].join('\n'));
}

/** The declarations of the types that `roots` need, by their names. */
function declarationsOf(schemas: Schemas, roots: readonly string[]): ReadonlyMap<string, string> {
  const all = reached(schemas, roots);
  return new Map(all.map(([name, schema]) => [name, typesOf(name, schema, schemas, baseOf(name, schema, all))]));
}

interface NamedSchema {
  readonly name: string;
  readonly schema: Schema;
}

/** The roots and the schemas that they refer to, in the order of the document. */
function reached(schemas: Schemas, roots: readonly string[]): readonly (readonly [string, Schema])[] {
  const names = new Set<string>();
  const visit = (name: string): void => {
    const schema = schemas[name];
    if (schema === undefined) throw new Error(`the OpenAPI document has no schema ${name}`);
    if (names.has(name)) return;
    names.add(name);
    namesIn(schema).forEach(visit);
  };
  for (const root of roots) visit(root);
  return Object.entries(schemas).filter(([name]) => names.has(name));
}

/** The members that make a model an extension of another one. Fewer may be the same by chance. */
const leastShared = 5;

/** The largest model of which another one has every member, so that it is written as an extension; null without one. */
function baseOf(name: string, schema: Schema, all: readonly (readonly [string, Schema])[]): NamedSchema | null {
  const own = new Set(membersOf(schema));
  const bases = all
    .filter(([base, { type }]) => type === 'object' && !['Event', name].includes(base))
    .map(([base, other]) => ({ name: base, schema: other, members: membersOf(other) }))
    .filter(({ members }) => members.length >= leastShared && members.length < own.size)
    .filter(({ members }) => members.every((member) => own.has(member)));
  return bases.toSorted((a, b) => b.members.length - a.members.length)[0] ?? null;
}

function typesOf(name: string, schema: Schema, schemas: Schemas, base: NamedSchema | null): string {
  if (name === 'EventData')
    return declarationOf(
      name,
      without(
        schema,
        ownMembers.flatMap(({ members }) => members),
      ),
    );
  if (base !== null) {
    const own = without(schema, Object.keys(base.schema.properties ?? {}));
    return declarationOf(`${name} extends ${base.name}`, own);
  }
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

/** The names of the schemas that a schema refers to. */
export function namesIn(schema: Schema): readonly string[] {
  return [...JSON.stringify(schema).matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name = '']) => name);
}

/** Reports whether a text of TypeScript uses a type. */
export function mentions(text: string, name: string): boolean {
  return new RegExp(`\\b${name}\\b`).test(text);
}

/** The type of a value that has a schema. */
export function typeOf(schema: Schema): string {
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

function membersOf({ properties = {}, required = [] }: Schema): readonly string[] {
  return Object.entries(properties).map(([name, schema]) => {
    const optional = required.includes(name) ? '' : '?';
    return `${commentOf(schema)}readonly ${name}${optional}: ${typeOf(schema)}${optional && ' | undefined'};`;
  });
}

function objectOf(schema: Schema): string {
  const { additionalProperties } = schema;
  const members = membersOf(schema);
  const others = typeof additionalProperties === 'object' ? typeOf(additionalProperties) : 'unknown';
  return members.length === 0 ? `{ readonly [name: string]: ${others} }` : `{\n${members.join('\n')}\n}`;
}

/** The description of a schema as a comment. */
export function commentOf({ description }: Schema): string {
  return description === undefined ? '' : `/** ${description} */\n`;
}
