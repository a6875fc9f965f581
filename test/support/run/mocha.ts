import { spawn, type ChildProcess } from 'node:child_process';
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

/** Runs it in a process group of its own, of which nothing is left at the end, however this process ends. */
async function ended(args: readonly string[], env: NodeJS.ProcessEnv, stdio: 'inherit' | 'ignore'): Promise<number> {
  const child = spawn(process.execPath, [mocha, ...args], { stdio, env: { ...process.env, ...env }, detached: true });
  const { pid } = child;
  if (pid === undefined) return 1;
  const guard = guardOf(pid);
  // mocha ends what it lends to tests. A second signal ends this process, and the guard does the rest.
  const stop = (): void => void child.kill('SIGINT');
  for (const signal of stops) process.once(signal, stop);
  const [code] = (await once(child, 'exit')) as [number | null];
  for (const signal of stops) process.off(signal, stop);
  guard.kill('SIGKILL');
  killGroup(pid);
  return code ?? 1;
}

const stops = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Waits for the end of its standard input, which is that of this process. Gives mocha ten seconds, and kills its group. */
const guarding = `read _
kill -INT $0
for _ in 0 1 2 3 4 5 6 7 8 9; do kill -0 $0 || break; sleep 1; done
kill -KILL -$0`;

function guardOf(leader: number): ChildProcess {
  const env = { PATH: '/usr/bin:/bin' };
  return spawn('/bin/sh', ['-c', guarding, String(leader)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    env,
    detached: true,
  });
}

function killGroup(leader: number): void {
  try {
    process.kill(-leader, 'SIGKILL');
  } catch {
    // Nothing is left of it.
  }
}
