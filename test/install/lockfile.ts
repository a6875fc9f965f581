import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');
const lockfile = join(root, 'package-lock.json');

/** Packages whose scripts at installation npm 11.16 and later run (true) or leave out (false). */
type Decisions = Readonly<Record<string, boolean>>;

interface LockedPackage {
  readonly gypfile?: false;
  readonly hasInstallScript?: true | undefined;
}

/** The installed packages of package-lock.json by their folder. */
export async function lockedPackages(): Promise<Readonly<Record<string, LockedPackage>>> {
  const { packages } = JSON.parse(await readFile(lockfile, 'utf8')) as { packages: Record<string, LockedPackage> };
  return packages;
}

/** The member `allowScripts` of package.json. */
export async function scriptDecisions(): Promise<Decisions> {
  const { allowScripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
    allowScripts: Decisions;
  };
  return allowScripts;
}

/** The name of the package that a folder of package-lock.json holds. */
export function nameOf(folder: string): string {
  return folder.replace(/^.*node_modules\//, '');
}

/** Whether npm would compile the package: it has C sources and npm does not know that they are built already. */
export function isCompiled(folder: string, locked: LockedPackage): boolean {
  return locked.gypfile !== false && existsSync(join(root, folder, 'binding.gyp'));
}

/**
 * Lets npm 10, which does not know `allowScripts`, run and compile nothing that package.json disallows. It believes
 * what package-lock.json says about a package: these marks, which npm drops whenever it writes the file (npm/cli#3341).
 */
async function markDisallowed(): Promise<void> {
  const decisions = await scriptDecisions();
  const content = JSON.parse(await readFile(lockfile, 'utf8')) as { packages: Record<string, LockedPackage> };
  for (const [folder, locked] of Object.entries(content.packages))
    if (decisions[nameOf(folder)] === false)
      content.packages[folder] = { ...locked, hasInstallScript: undefined, gypfile: false };
  await writeFile(lockfile, `${JSON.stringify(content, null, 2)}\n`);
}

if (import.meta.main) await markDisallowed();
