import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { outputs } from '../run/output-search.ts';

interface Where {
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
  /** Whether it leads a group of processes, as a command of a terminal does. */
  readonly detached?: boolean;
}

/** Options with which a server waits for its store as long as it takes on a busy machine. */
export const patient = ['--store-deadline', '60s'];

/** Starts a process with this Node. Everything that it writes is searched for secrets. */
export function startNode(args: readonly string[], where: Where = {}): ChildProcessWithoutNullStreams {
  const child = spawn(process.execPath, args, { ...where, stdio: 'pipe' });
  outputs.watch(child, args);
  return child;
}
