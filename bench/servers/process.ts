import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';

/** A process whose CPU time can be read. */
export interface CpuMeter {
  /** Microseconds of CPU that all its threads have used. */
  cpu(): Promise<number>;
}

/** Linux counts CPU time in ticks of 10 ms (`USER_HZ`). */
const microsecondsPerTick = 10_000;

const running = new Set<ChildProcess>();
process.once('exit', () => running.forEach((child) => child.kill())); // also where a measurement fails

/** A command that runs on cores of its own. What it writes to stderr goes to a file. */
export class Process implements CpuMeter {
  readonly child: ChildProcess;
  readonly #ended: Promise<unknown>;

  constructor(cores: string, command: readonly string[], log: string, env: NodeJS.ProcessEnv = process.env) {
    const errors = openSync(log, 'a');
    this.child = spawn('taskset', ['-c', cores, ...command], { env, stdio: ['ignore', 'pipe', errors] });
    closeSync(errors);
    running.add(this.child);
    this.#ended = once(this.child, 'exit').then(() => running.delete(this.child));
  }

  /** Resolves to the first line that it prints; undefined if it ends without one. */
  async firstLine(): Promise<string | undefined> {
    if (this.child.stdout === null) return undefined;
    const output = createInterface(this.child.stdout);
    const [line]: readonly string[] = await Promise.race([once(output, 'line'), once(output, 'close')]);
    return line;
  }

  /** proc_pid_stat(5): fields 14 and 15. */
  cpu(): Promise<number> {
    return cpuOf(this.child.pid, 11);
  }

  /** Microseconds of CPU of the processes that it has started and that run. */
  async cpuOfWorkers(): Promise<number> {
    const { pid } = this.child;
    const workers = (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).trim().split(' ');
    const each = await Promise.all(workers.map((worker) => cpuOf(worker, 11)));
    return each.reduce((sum, cpu) => sum + cpu, 0);
  }

  /** Bytes of resident memory (`VmRSS` of proc_pid_status(5)). */
  async rss(): Promise<number> {
    const status = await readFile(`/proc/${this.child.pid}/status`, 'utf8');
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024;
  }

  async stop(): Promise<void> {
    this.child.kill('SIGTERM');
    await this.#ended;
  }
}

/** Reads the CPU time of all child processes of this one that have ended, in microseconds (fields 16 and 17). */
export function cpuOfEnded(): Promise<number> {
  return cpuOf('self', 13);
}

/** Adds up two fields, of which the first is given as counted from the third field of all. */
async function cpuOf(pid: string | number | undefined, first: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[first]) + Number(fields[first + 1])) * microsecondsPerTick;
}

/** Finds a TCP port that nothing uses. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
