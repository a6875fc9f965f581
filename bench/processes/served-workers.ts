import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { cpuOf } from './cpu-meter.ts';

/** Both cores, the one of the load generator included. */
const cores = '0,1';

/** A server as operators start it, with one process or several. Its log goes to a file. */
export class ServedWorkers {
  readonly port: number;
  readonly #child: ChildProcess;
  readonly #workers: readonly number[];

  private constructor(child: ChildProcess, port: number, workers: readonly number[]) {
    this.#child = child;
    this.port = port;
    this.#workers = workers;
  }

  static async start(log: string, store: string, workers: number, rateLimits: string): Promise<ServedWorkers> {
    const flags = ['--store', store, '--port', '0', '--workers', String(workers), '--rate-limits', rateLimits];
    const child = spawn('taskset', ['-c', cores, process.execPath, 'app/main.js', 'serve', ...flags], {
      stdio: ['ignore', 'ignore', openSync(log, 'w')],
      env: { ...process.env, NODE_ENV: 'production' },
    });
    process.once('exit', () => child.kill()); // also where a measurement fails
    while (child.exitCode === null) {
      const text = await readFile(log, 'utf8');
      const [, port] = /"address":"http:\/\/127\.0\.0\.1:(\d+)".*"message":"serving"/.exec(text) ?? [];
      const listening = [...text.matchAll(/"worker":(\d+),"message":"a worker listens"/g)].map(([, id]) => Number(id));
      if (port !== undefined) return new ServedWorkers(child, Number(port), listening);
      await sleep(20);
    }
    throw new Error('a measured process ended before it listened');
  }

  /** Microseconds of CPU that the process which was started has used, and those of its workers or itself. */
  async cpu(): Promise<{ readonly primary: number; readonly workers: number }> {
    const own = await cpuOf(this.#child);
    if (this.#workers.length === 0) return { primary: 0, workers: own };
    const all = await Promise.all(this.#workers.map((pid) => cpuOf({ pid })));
    return { primary: own, workers: all.reduce((sum, each) => sum + each, 0) };
  }

  async stop(): Promise<void> {
    const gone = once(this.#child, 'exit');
    this.#child.kill('SIGTERM');
    await gone;
  }
}
