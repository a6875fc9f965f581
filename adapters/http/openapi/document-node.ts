/** An object of an OpenAPI document. */
export type DocumentNode = Readonly<Record<string, unknown>>;

export type ComponentKind = 'schemas' | 'responses' | 'parameters' | 'headers';

export function reference(kind: ComponentKind, name: string): DocumentNode {
  return { $ref: `#/components/${kind}/${name}` };
}

/** Text in the form of a component's name: `IfNoneMatch` for `If-None-Match`. */
export function pascalCase(text: string): string {
  return text.replaceAll(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}
