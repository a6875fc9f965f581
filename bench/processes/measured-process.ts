import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { cpuOf, type CpuMeter } from './cpu-meter.ts';
import { rssOf } from './memory.ts';

/** The CPU core of every measured server. The load generator has the other one. */
const measuredCore = '1';

/** A server in a process of its own, on a CPU core of its own. */
export interface MeasuredProcess extends CpuMeter {
  readonly port: number;
  /** Null if it does not serve the administration. */
  readonly adminPort: number | null;
  /** Bytes of resident memory. */
  rss(): Promise<number>;
  stop(): Promise<void>;
}

/** Runs a program with Node. It serves once it prints the line `listening PORT`, or `listening PORT ADMIN_PORT`. */
export async function startProcess(args: readonly string[]): Promise<MeasuredProcess> {
  const child = spawn('taskset', ['-c', measuredCore, process.execPath, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_ENV: 'production' },
  });
  process.once('exit', () => child.kill()); // also where a measurement fails
  return {
    ...(await portsOf(child.stdout)),
    cpu: () => cpuOf(child),
    rss: () => rssOf(child),
    stop: async () => {
      const gone = once(child, 'exit');
      child.kill('SIGTERM');
      await gone;
    },
  };
}

async function portsOf(output: Readable): Promise<Pick<MeasuredProcess, 'port' | 'adminPort'>> {
  for await (const line of createInterface(output)) {
    const [, port, adminPort] = /^listening (\d+)(?: (\d+))?$/.exec(line) ?? [];
    if (port !== undefined)
      return { port: Number(port), adminPort: adminPort === undefined ? null : Number(adminPort) };
  }
  throw new Error('a measured process ended before it listened');
}
