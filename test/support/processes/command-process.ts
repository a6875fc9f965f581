import { once } from 'node:events';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { startNode } from './node-process.ts';

/** The entry of the program. */
export const programPath = fileURLToPath(new URL('../../../app/main.js', import.meta.url));

/** Runs a line of words as a process of its own with `--json`, expects it to succeed, and gives its value. */
export async function runCommandProcess(line: string, storeUrl: string): Promise<unknown> {
  const { exitCode, stdout, stderr } = await startCommandProcess(`${line} --json`, storeUrl, []).run;
  if (exitCode !== 0) throw new Error(`${line}: ${stderr}`);
  return JSON.parse(stdout);
}

/** What a process of the program left behind. */
export interface ProcessRun {
  /** Null where it was killed. */
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The program as a process of its own that reads standard input; it can be killed in the middle of its work. */
export function startCommandProcess(
  line: string,
  storeUrl: string,
  input: Iterable<string> | AsyncIterable<string>,
  nodeOptions: readonly string[] = [],
): { readonly run: Promise<ProcessRun>; kill(): void } {
  const args = [...nodeOptions, programPath, ...line.split(' '), '--store', storeUrl];
  const child = startNode(args);
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
