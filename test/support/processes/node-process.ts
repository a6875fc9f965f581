import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { outputs } from '../run/output-search.ts';

interface Where {
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
}

/** Starts a process with this Node. Everything that it writes is searched for secrets. */
export function startNode(args: readonly string[], where: Where = {}): ChildProcessWithoutNullStreams {
  const child = spawn(process.execPath, args, { ...where, stdio: 'pipe' });
  outputs.watch(child, args);
  return child;
}
