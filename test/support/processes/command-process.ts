import { once } from 'node:events';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import type { Latch } from '../latch.ts';
import { startNode } from './node-process.ts';

/** The path of the program. */
export const programPath = fileURLToPath(new URL('../../../app/main.js', import.meta.url));

/** Runs a command in its own process with `--json`, and returns the value that it prints. Throws if it fails. */
export async function runCommandProcess(line: string, storeUrl: string): Promise<unknown> {
  const { exitCode, stdout, stderr } = await startCommandProcess(`${line} --json`, storeUrl, []).run;
  if (exitCode !== 0) throw new Error(`${line}: ${stderr}`);
  return JSON.parse(stdout);
}

/** The output of a process of the program. */
export interface ProcessRun {
  /** Null if it was killed. */
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Gives some lines, and ends only when it is released: a command that reads them works until it is killed. */
export async function* heldBack(lines: Iterable<string>, { released }: Latch, count = 10_000): AsyncIterable<string> {
  let given = 0;
  for (const line of lines) {
    if (given === count) break;
    given += 1;
    yield line;
  }
  await released;
}

/** Starts a command in its own process, with standard input. It can be killed while it works. */
export function startCommandProcess(
  line: string,
  storeUrl: string,
  input: Iterable<string> | AsyncIterable<string>,
  nodeOptions: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): { readonly run: Promise<ProcessRun>; kill(): void } {
  const args = [...nodeOptions, programPath, ...line.split(' '), '--store', storeUrl];
  const child = startNode(args, { env: { ...process.env, ...env } });
  const output = [text(child.stdout), text(child.stderr)] as const;
  // A process that ends does not read on.
  const fed = pipeline(Readable.from(input), child.stdin).catch(() => undefined);
  const run = Promise.all([once(child, 'close'), ...output, fed]).then(([[code], stdout, stderr]): ProcessRun => ({
    exitCode: typeof code === 'number' ? code : null,
    stdout,
    stderr,
  }));
  return { run, kill: () => void child.kill('SIGKILL') };
}
