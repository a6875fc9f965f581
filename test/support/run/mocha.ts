import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';

const mocha = createRequire(import.meta.url).resolve('mocha/bin/mocha.js');

/** Runs mocha with its output on ours, and gives its exit code. */
export async function runMocha(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  return ended(args, env, 'inherit');
}

/** Counts the tests that mocha would run, by their file. */
export async function countTests(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<ReadonlyMap<string, number>> {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-'));
  try {
    const output = join(folder, 'tests.json');
    await ended([...args, '--dry-run', '--reporter=json', `--reporter-option=output=${output}`], env, 'ignore');
    // Nothing is written where no file is left.
    const counted = await readFile(output, 'utf8').catch(() => '{"tests":[]}');
    const { tests } = JSON.parse(counted) as { readonly tests: readonly { readonly file: string }[] };
    return new Map(
      Object.entries(Object.groupBy(tests, ({ file }) => relative(process.cwd(), file))).map(([file, own]) => [
        file,
        own?.length ?? 0,
      ]),
    );
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function ended(args: readonly string[], env: NodeJS.ProcessEnv, stdio: 'inherit' | 'ignore'): Promise<number> {
  const child = spawn(process.execPath, [mocha, ...args], { stdio, env: { ...process.env, ...env } });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code ?? 1;
}
