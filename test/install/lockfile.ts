import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');
const file = join(root, 'package-lock.json');

interface LockedPackage {
  readonly gypfile?: false;
  readonly hasInstallScript?: true;
}

/** The installed packages of package-lock.json by their folder. */
export async function lockedPackages(): Promise<Readonly<Record<string, LockedPackage>>> {
  const { packages } = JSON.parse(await readFile(file, 'utf8')) as { packages: Record<string, LockedPackage> };
  return packages;
}

/** Whether npm would compile the package: it has C sources and npm does not know that they are built already. */
export function isCompiled(folder: string, locked: LockedPackage): boolean {
  return locked.gypfile !== false && existsSync(join(root, folder, 'binding.gyp'));
}

/**
 * Marks the packages that bring their binary. Without the mark `npm ci` compiles them, which needs Python and a
 * compiler; npm drops the mark whenever it writes the file (npm/cli#3341).
 */
async function markPrebuilt(): Promise<void> {
  const lockfile = JSON.parse(await readFile(file, 'utf8')) as { packages: Record<string, LockedPackage> };
  for (const [folder, locked] of Object.entries(lockfile.packages))
    if (isCompiled(folder, locked)) lockfile.packages[folder] = { ...locked, gypfile: false };
  await writeFile(file, `${JSON.stringify(lockfile, null, 2)}\n`);
}

if (import.meta.main) await markPrebuilt();
