import { setImmediate } from 'node:timers/promises';

/** An object of an OpenAPI document. */
export type DocumentNode = Readonly<Record<string, unknown>>;

type ComponentKind = 'schemas' | 'responses' | 'parameters' | 'headers';

export function reference(kind: ComponentKind, name: string): DocumentNode {
  return { $ref: `#/components/${kind}/${name}` };
}

export type Components = Readonly<Record<ComponentKind, DocumentNode>>;

const pointer = /^#\/components\/(\w+)\/(.+)$/;

/** The components that parts of the document refer to, directly or through others, in the order that they have. */
export async function usedComponents(parts: readonly unknown[], components: Components): Promise<Components> {
  const used = new Set<unknown>();
  const visit = (node: unknown): void => {
    for (const [kind, name] of referencesIn(node)) {
      const component = (components as Readonly<Record<string, DocumentNode>>)[kind]?.[name];
      if (component === undefined) throw new Error(`The OpenAPI document has no ${name} in ${kind}.`);
      if (used.has(component)) continue;
      used.add(component);
      visit(component);
    }
  };
  for (const part of parts) {
    visit(part);
    await setImmediate(); // other requests are answered in between
  }
  const pick = (kind: ComponentKind): DocumentNode =>
    Object.fromEntries(Object.entries(components[kind]).filter(([, component]) => used.has(component)));
  return {
    schemas: pick('schemas'),
    responses: pick('responses'),
    parameters: pick('parameters'),
    headers: pick('headers'),
  };
}

function referencesIn(node: unknown): readonly (readonly [kind: string, name: string])[] {
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([key, value]: [string, unknown]) => {
    if (key !== '$ref' || typeof value !== 'string') return referencesIn(value);
    const [, kind = '', name = ''] = pointer.exec(value) ?? [];
    return [[kind, name] as const];
  });
}
