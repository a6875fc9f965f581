import { Readable } from 'node:stream';
import { runCommandLine } from '../../../adapters/cli/command-line.ts';
import type { Shell } from '../../../adapters/cli/shell/shell.ts';
import { processShell } from '../../../app/shell.ts';
import { outputs } from '../run/output-search.ts';
import { search, TextSink, type Run } from './command-line.ts';

/** The input of a command besides its arguments. */
interface Given {
  /** Its standard input. Default: none. */
  readonly input?: Iterable<string>;
  /** All of its environment. Default: empty. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** Runs the program in this process, with an environment and streams of its own. Its changes are not in its output. */
export async function runProgram(args: readonly string[], { input = [], env = {} }: Given = {}): Promise<Run> {
  const [stdout, stderr] = [new TextSink(), new TextSink()];
  const stdin = Readable.from(Buffer.from([...input].join('')));
  const shell = processShell(() => new AbortController().signal, { env, stdin, stdout, stderr });
  const exitCode = await runCommandLine(args, { ...shell, log });
  search(args, { stdout, stderr });
  return { exitCode, stdout: stdout.text, stderr: stderr.text };
}

const log: Shell['log'] = (change) => outputs.log('the log of a command', JSON.stringify(change));

/** Runs a line of words on a store. */
export function runCommand(line: string, storeUrl: string, given: Given = {}): Promise<Run> {
  return runProgram([...line.split(' '), '--store', storeUrl], given);
}

/** Runs a line with `--json`, and gives the value that it prints. Throws if it fails. */
export async function valueOf(line: string, storeUrl: string): Promise<unknown> {
  const { exitCode, stdout, stderr } = await runCommand(`${line} --json`, storeUrl);
  if (exitCode !== 0) throw new Error(`${line}: ${stderr}`);
  return JSON.parse(stdout);
}
