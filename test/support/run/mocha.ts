import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const mocha = createRequire(import.meta.url).resolve('mocha/bin/mocha.js');

/** Runs mocha with its output on ours, and gives its exit code. */
export async function runMocha(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  return ended(args, env, 'inherit');
}

/** Counts the tests that mocha would run. */
export async function countTests(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-'));
  try {
    const results = join(folder, 'results.json');
    await ended([...args, '--dry-run'], { ...env, MOCHA_RESULTS: results }, 'ignore');
    // Nothing is written where no file is left.
    const counted = await readFile(results, 'utf8').catch(() => '{"passed":0}');
    return (JSON.parse(counted) as { passed: number }).passed;
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function ended(args: readonly string[], env: NodeJS.ProcessEnv, stdio: 'inherit' | 'ignore'): Promise<number> {
  const child = spawn(process.execPath, [mocha, ...args], { stdio, env: { ...process.env, ...env } });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code ?? 1;
}
