import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';

/** The root of the repository. */
export const root = fileURLToPath(new URL('../../', import.meta.url));

/** The file of a path in the repository. */
export function fileOf(path: string): string {
  return root + path;
}

/** The text of a TypeScript file of this repository, in its form. */
export async function formatted(path: string, text: string): Promise<string> {
  const options = await resolveConfig(fileOf(path));
  return format(text, { ...options, parser: 'typescript' });
}
