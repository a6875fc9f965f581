import { readFileSync } from 'node:fs';

export type Node = Readonly<Record<string, unknown>>;

export interface Reference {
  readonly $ref: string;
}

export interface DescribedParameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly schema: Node;
  readonly example?: string | number;
}

export interface DescribedHeader {
  readonly required: boolean;
  readonly schema: Node;
}

export interface DescribedContent {
  readonly schema: Reference;
  readonly example?: unknown;
}

export interface DescribedResponse {
  readonly description: string;
  readonly headers: Readonly<Record<string, Reference | DescribedHeader>>;
  readonly content?: { readonly 'application/json': DescribedContent };
}

export interface DescribedOperation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly security: readonly Node[];
  readonly parameters: readonly (Reference | DescribedParameter)[];
  readonly requestBody?: { readonly content: { readonly 'application/json': DescribedContent } };
  readonly responses: Readonly<Record<string, Reference | DescribedResponse>>;
}

export interface OpenApiDocument {
  readonly info: { readonly version: string; readonly description: string };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Node>>;
    readonly responses: Readonly<Record<string, DescribedResponse>>;
    readonly parameters: Readonly<Record<string, DescribedParameter>>;
    readonly headers: Readonly<Record<string, DescribedHeader>>;
    readonly securitySchemes: Readonly<Record<string, Node>>;
  };
}

/** The committed document of the current edition, which the service's own one is compared with. */
export const committed = documentIn('openapi-2026-07-18.json');

/** The committed document of the administration. */
export const committedAdmin = documentIn('admin-openapi-2026-07-18.json');

function documentIn(file: string): OpenApiDocument {
  return JSON.parse(readFileSync(new URL(`../../../docs/${file}`, import.meta.url), 'utf8'));
}

/** Resolves a node of the document: itself, or the component that it refers to. */
export function resolved<T extends object>(node: Reference | T, document: OpenApiDocument = committed): T {
  if (!('$ref' in node)) return node;
  const [, , kind = '', name = ''] = node.$ref.split('/');
  const found = (document.components as unknown as Readonly<Record<string, Readonly<Record<string, T>>>>)[kind]?.[name];
  if (found === undefined) throw new Error(`${node.$ref} stands for nothing`);
  return found;
}

/** The operations with their paths and methods. */
export function operationsOf(document: OpenApiDocument): readonly {
  readonly path: string;
  readonly method: string;
  readonly operation: DescribedOperation;
}[] {
  return Object.entries(document.paths).flatMap(([path, own]) =>
    Object.entries(own).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
}

/** Every object of a document, with its path in it. */
export function nodesOf(value: unknown, path: readonly string[] = []): readonly (readonly [string, Node])[] {
  if (typeof value !== 'object' || value === null) return [];
  const inner = Object.entries(value).flatMap(([key, each]) => nodesOf(each, [...path, key]));
  return Array.isArray(value) ? inner : [[path.join('/'), value as Node], ...inner];
}
