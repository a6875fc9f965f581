import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../../docs/generate/repository.ts';
import type { Spec } from './chart.ts';

const run = promisify(execFile);

/** Apart from the packages of the project, because only charts need them. */
const packages = join(root, 'bench/charts/packages');
const cache = join(root, 'node_modules/.cache/charts');
const lockfile = 'package-lock.json';

/** Renders specifications as SVG with Vega-Lite, which it installs the first time. */
export async function renderAll(specs: readonly Spec[]): Promise<readonly string[]> {
  if (!(await isInstalled())) await install();
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-charts-'));
  try {
    const drawings: string[] = [];
    const file = join(folder, 'chart.json');
    for (const spec of specs) {
      await writeFile(file, JSON.stringify(spec));
      const program = join(cache, 'node_modules/.bin/vl2svg');
      drawings.push((await run(program, [file], { maxBuffer: 64 * 1024 * 1024 })).stdout);
    }
    return drawings;
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function isInstalled(): Promise<boolean> {
  return (await lockIn(cache)) === (await lockIn(packages));
}

function lockIn(folder: string): Promise<string | null> {
  return readFile(join(folder, lockfile), 'utf8').catch(() => null);
}

/** Installs outside of the cache: below a `node_modules`, npm looks for the lock file of the project above it. */
async function install(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-charts-'));
  try {
    await cp(packages, folder, { recursive: true });
    await run('npm', ['ci', '--no-audit', '--no-fund'], { cwd: folder });
    await rm(cache, { recursive: true, force: true });
    const isNotLock = (source: string): boolean => source !== join(folder, lockfile);
    await cp(folder, cache, { recursive: true, verbatimSymlinks: true, filter: isNotLock });
    await cp(join(folder, lockfile), join(cache, lockfile)); // last: it says that the rest is whole
  } finally {
    await rm(folder, { recursive: true });
  }
}
