import { fileURLToPath } from 'node:url';

/** The root of the repository. */
export const root = fileURLToPath(new URL('../../', import.meta.url));

/** The file of a path in the repository. */
export function fileOf(path: string): string {
  return root + path;
}
