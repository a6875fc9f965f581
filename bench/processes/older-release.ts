import { execFile } from 'node:child_process';
import { mkdir, symlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { seedStore } from '../data/seed-store.ts';

const run = promisify(execFile);

/** The sources of a commit in a folder of their own, to be measured beside the present ones. */
export interface OlderRelease {
  /** The program that serves it. */
  readonly program: string;
  readonly seedStore: typeof seedStore;
}

/** Extracts a commit of this repository into a new folder. It runs with the packages that are installed now. */
export async function extractRelease(commit: string, folder: string): Promise<OlderRelease> {
  await mkdir(folder);
  const archive = join(folder, 'sources.tar');
  await run('git', ['archive', '--output', archive, commit]);
  await run('tar', ['-xf', archive, '-C', folder]);
  await symlink(resolve('node_modules'), join(folder, 'node_modules'));
  const seeding: { readonly seedStore: typeof seedStore } = await import(join(folder, 'bench/data/seed-store.ts'));
  return { program: join(folder, 'bench/processes/latchkey.ts'), seedStore: seeding.seedStore };
}
