import { posix } from 'node:path';

/** `import … from 'x'`, `export … from 'x'`, `import 'x'` and `import('x')`. */
const importForm = /(?:\bfrom\s*|\bimport\s*\(?\s*)(['"])([^'"]+)\1/g;

/** Removes the comments of a source. */
export function codeOf(source: string): string {
  return source.replaceAll(/\/\*[^]*?\*\/|^\s*\/\/.*$/gm, '');
}

/** The specifiers that a source without comments imports. */
export function importsOf(code: string): readonly string[] {
  return [...code.matchAll(importForm)].map(([, , specifier = '']) => specifier);
}

/** The paths of the project's files that a source imports. */
export function relativeImports(file: string, source: string): readonly string[] {
  const own = importsOf(codeOf(source)).filter((specifier) => specifier.startsWith('.'));
  return own.map((specifier) => posix.join(posix.dirname(file), specifier));
}

/** Returns the cycles that a walk along the imports meets, as paths. */
export function cyclesIn(imports: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const cycles: string[] = [];
  const done = new Set<string>();
  const walk = (file: string, path: readonly string[]): void => {
    const seen = path.indexOf(file);
    if (seen !== -1) cycles.push([...path.slice(seen), file].join(' > '));
    if (seen !== -1 || done.has(file)) return;
    for (const next of imports.get(file) ?? []) walk(next, [...path, file]);
    done.add(file);
  };
  for (const file of imports.keys()) walk(file, []);
  return cycles;
}

/** The imports of folders from other folders. */
export function betweenFolders(files: ReadonlyMap<string, readonly string[]>): ReadonlyMap<string, readonly string[]> {
  const folders = new Map<string, Set<string>>();
  for (const [file, imported] of files) {
    const folder = posix.dirname(file);
    const others = imported.map((other) => posix.dirname(other)).filter((other) => other !== folder);
    folders.set(folder, new Set([...(folders.get(folder) ?? []), ...others]));
  }
  return new Map([...folders].map(([folder, others]) => [folder, [...others]]));
}
