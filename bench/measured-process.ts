import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

/** The core of everything that is measured; the load generator has the other one. */
const measuredCore = '1';

/** Linux counts CPU time in ticks of 10 ms (`USER_HZ`). */
const microsecondsPerTick = 10_000;

/** A server in a process of its own, on a core of its own. */
export interface MeasuredProcess {
  readonly port: number;
  /** Microseconds of CPU that all its threads have used. */
  cpu(): Promise<number>;
  stop(): Promise<void>;
}

/** Runs a program with Node; it serves once it prints `listening PORT` on a line of its standard output. */
export async function startProcess(args: readonly string[]): Promise<MeasuredProcess> {
  const child = spawn('taskset', ['-c', measuredCore, process.execPath, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_ENV: 'production' },
  });
  return {
    port: await portOf(child.stdout),
    cpu: () => cpuOf(child),
    stop: async () => {
      const gone = once(child, 'exit');
      child.kill('SIGTERM');
      await gone;
    },
  };
}

/** CPU time of a process, its threads included, in microseconds (proc_pid_stat(5): fields 14 and 15). */
async function cpuOf({ pid }: ChildProcess): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * microsecondsPerTick;
}

async function portOf(output: Readable): Promise<number> {
  for await (const line of createInterface(output)) {
    const port = /^listening (\d+)$/.exec(line)?.[1];
    if (port !== undefined) return Number(port);
  }
  throw new Error('a measured process ended before it listened');
}
