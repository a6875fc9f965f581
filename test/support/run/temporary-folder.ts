import { mkdtemp, readFile, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';

/** Where Linux keeps files in memory. */
const shared = '/dev/shm';

/** Bytes that must be free there: many times what the files of a run take. Containers often have 64 MB. */
const minFree = 4 * 2 ** 30;

interface TemporaryFolder {
  /** The environment by which processes put their temporary files there. */
  readonly env: { readonly TMPDIR?: string };
  remove(): Promise<void>;
}

/**
 * A folder for the temporary files of a run, in memory where that is possible: a store writes to its file at each commit,
 * and waits for the disk. Where `TMPDIR` is set, or memory cannot be used, it is the temporary folder of the system.
 */
export async function makeTemporaryFolder(): Promise<TemporaryFolder> {
  if (process.env['TMPDIR'] !== undefined || !(await isUsable())) return { env: {}, remove: async () => {} };
  const folder = await mkdtemp(join(shared, 'latchkey-tests-'));
  return { env: { TMPDIR: folder }, remove: () => rm(folder, { recursive: true, force: true, maxRetries: 5 }) };
}

/** Whether it is in memory, has room, and lets programs be started from it. */
async function isUsable(): Promise<boolean> {
  try {
    const mounts = (await readFile('/proc/mounts', 'utf8')).split('\n').map((line) => line.split(' '));
    const [, , type = '', options = ''] = mounts.findLast(([, place]) => place === shared) ?? [];
    const { bavail, bsize } = await statfs(shared);
    return type === 'tmpfs' && !options.split(',').includes('noexec') && bavail * bsize >= minFree;
  } catch {
    return false;
  }
}
