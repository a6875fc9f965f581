import { pathToFileURL } from 'node:url';
import { fileOf } from '../../../docs/generate/repository.ts';

const entries = {
  'latchkey/admin': 'client/admin/index.ts',
  'latchkey/client': 'client/index.ts',
  'latchkey/testing': 'testing/index.ts',
} as const;

/** A program that imports the package, with the sources of this checkout in its place. */
export function inCheckout(program: string): string {
  return Object.entries(entries).reduce(
    (text, [name, path]) => text.replace(`'${name}'`, `'${pathToFileURL(fileOf(path)).href}'`),
    program,
  );
}
