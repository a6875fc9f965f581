import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import packageJson from '#package.json' with { type: 'json' };

/** The version of the package. */
export const { version } = packageJson;

/** The version with the commit that runs, such as `0.3.0+b7a10ba`; without it where it is not known. */
export const release = releaseIn(import.meta.dirname);

/** Names the release whose file of this name is in a folder: beside it, the build leaves the commit. */
export function releaseIn(folder: string): string {
  const commit = commitIn(join(folder, 'commit.txt')) ?? headOf(join(folder, '../..'));
  return commit === null ? version : `${version}+${commit.slice(0, 7)}`;
}

/** Reads a commit that a file holds. Null if it holds none. */
function commitIn(path: string): string | null {
  return /^[0-9a-f]{7,64}$/.exec(textIn(path) ?? '')?.[0] ?? null;
}

/**
 * Reads the commit that is checked out in a folder from the files of git, which need not be installed. Null if the folder is
 * no checkout, or its files have another form.
 */
export function headOf(folder: string): string | null {
  const dotGit = join(folder, '.git');
  // The checkout of a worktree has a file that names its folder.
  const own = /^gitdir: (.+)$/.exec(textIn(dotGit) ?? '')?.[1];
  const gitFolder = own === undefined ? dotGit : resolve(folder, own);
  const reference = /^ref: (refs\/.+)$/.exec(textIn(join(gitFolder, 'HEAD')) ?? '')?.[1];
  if (reference === undefined) return commitIn(join(gitFolder, 'HEAD'));
  const shared = resolve(gitFolder, textIn(join(gitFolder, 'commondir')) ?? '.');
  return commitIn(join(gitFolder, reference)) ?? commitIn(join(shared, reference)) ?? packed(shared, reference);
}

function packed(gitFolder: string, reference: string): string | null {
  const lines = textIn(join(gitFolder, 'packed-refs'))?.split('\n') ?? [];
  const line = lines.find((each) => each.endsWith(` ${reference}`));
  return /^[0-9a-f]{7,64}(?= )/.exec(line ?? '')?.[0] ?? null;
}

/** Null for a path that is no file or cannot be read. */
function textIn(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return null;
  }
}
