import { spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../eventually.ts';
import { programPath } from '../processes/command-process.ts';
import { patient, startNode } from '../processes/node-process.ts';

const listens = 'a worker listens';

export interface StartOptions {
  /** Further options of the command line. */
  readonly flags?: readonly string[];
  /** Further environment, such as secrets. */
  readonly env?: Readonly<Record<string, string>>;
  /** The program, after options of Node. Default: this checkout's. */
  readonly program?: readonly string[];
  /** Called with the process id of the primary, before it serves. */
  readonly whileStarting?: (primary: number) => Promise<void>;
}

/** A server of several processes. */
export class WorkersProcess {
  readonly storeUrl: string;
  readonly url: string;
  readonly adminUrl: string;
  /** The lines that it has logged. Throws while a line is no JSON. */
  readonly log: () => readonly Record<string, unknown>[];
  /** The process id of the primary. */
  readonly primary: number;
  readonly #lines: readonly string[];
  readonly #child: ReturnType<typeof startNode>;
  readonly #ended: Promise<unknown[]>;

  private constructor(
    storeUrl: string,
    child: ReturnType<typeof startNode>,
    lines: readonly string[],
    serving: Record<string, unknown>,
  ) {
    this.storeUrl = storeUrl;
    this.primary = child.pid ?? 0;
    this.#child = child;
    this.#lines = lines;
    this.#ended = once(child, 'close');
    this.url = String(serving['address']);
    this.adminUrl = String(serving['admin']);
    const parsed: Record<string, unknown>[] = [];
    this.log = () => {
      for (const line of lines.slice(parsed.length)) parsed.push(JSON.parse(line));
      return parsed;
    };
  }

  /** Starts `serve`, and waits until it serves. `whileStarting` is called with the id of the primary. */
  static async start(
    storeUrl: string,
    workers: number,
    { flags = [], env = {}, program = [programPath], whileStarting }: StartOptions = {},
  ): Promise<WorkersProcess> {
    const ports = ['--port', '0', '--admin-port', '0', '--workers', String(workers)];
    const serve = [...program, 'serve', '--store', storeUrl, ...ports, ...patient, ...flags];
    const child = startNode(serve, { env: { ...process.env, ...env } });
    child.stdout.resume();
    const lines: string[] = [];
    const reader = createInterface({ input: child.stderr }).on('line', (line) => lines.push(line));
    const ended = once(child, 'close');
    await whileStarting?.(child.pid ?? 0);
    const serving = (): string | undefined => lines.find((line) => line.includes('"message":"serving"'));
    while (serving() === undefined && endOf(child) === null) await Promise.race([once(reader, 'line'), ended]);
    const line = serving();
    if (line === undefined) {
      await ended;
      throw new Error(`the server did not start (${endOf(child)}): ${lines.join('\n')}`);
    }
    return new WorkersProcess(storeUrl, child, lines, JSON.parse(line));
  }

  /** The ids of the worker processes that listen now. */
  workers(): readonly number[] {
    const listened = this.log().filter(({ message }) => message === listens);
    return listened.map(({ worker }) => Number(worker)).filter(isRunning);
  }

  /** The id of one of them. Throws if fewer listen, before a test signals a process that it does not mean. */
  worker(index = 0): number {
    const pid = this.workers()[index];
    if (pid === undefined) throw new Error(`no worker ${index} listens: ${this.#lines.join('\n')}`);
    return pid;
  }

  /** Waits until `count` more workers have begun to listen than at the call. */
  listenMore(count: number): Promise<void> {
    return this.listened(this.logged(listens) + count);
  }

  /** Waits until `count` workers have begun to listen since the start of the server, those of the start included. */
  listened(count: number): Promise<void> {
    return this.logs(listens, count);
  }

  /** The number of lines with this message. */
  logged(message: string): number {
    return this.log().filter((line) => line['message'] === message).length;
  }

  /** Waits until the log has `count` lines with this message. */
  async logs(message: string, count = 1): Promise<void> {
    while (this.logged(message) < count && endOf(this.#child) === null) await sleep(20);
    if (this.logged(message) >= count) return;
    const end = `the server ended (${endOf(this.#child)}) before its log had ${count} lines: ${message}`;
    throw new Error(`${end}\n${this.#lines.join('\n')}`);
  }

  /** Signals the primary. */
  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Its exit code and the signal that ended it, once it has ended. */
  get ended(): Promise<unknown[]> {
    return this.#ended;
  }

  /** Kills the primary, after which the workers end by themselves. */
  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#ended;
  }
}

/** Waits until a process has `count` children besides those named, and returns their ids. */
export async function childrenOf(
  parent: number,
  count: number,
  known: readonly number[] = [],
): Promise<readonly number[]> {
  const read = async (): Promise<readonly number[]> => {
    const { stdout } = spawnSync('pgrep', ['-P', String(parent)], { encoding: 'utf8' });
    const all = stdout.split('\n').filter(Boolean).map(Number);
    return all.filter((pid) => !known.includes(pid) && !isZombie(pid));
  };
  return eventually(read, ({ length }) => length >= count);
}

/** Kills `count` workers of a primary that starts, before they listen, and returns their ids. */
export async function killStarting(primary: number, count: number): Promise<readonly number[]> {
  const pids = (await childrenOf(primary, count)).slice(0, count);
  for (const pid of pids) process.kill(pid, 'SIGKILL');
  return pids;
}

/**
 * Whether a process runs. One that has ended does not, even if its parent has not waited for it: in a container, the first
 * process may wait for no orphan.
 */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  return !isZombie(pid);
}

/** Kills a process that may have ended. */
export function killIfRunning(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Whether a process has ended and its parent does not know yet. Only Linux tells, in proc_pid_stat(5). */
function isZombie(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name of the program before the state may contain a parenthesis.
    return stat.slice(stat.lastIndexOf(')')).startsWith(') Z');
  } catch {
    return false;
  }
}

/** The exit code of a process, or the signal that has ended it; null while it runs. */
function endOf({ exitCode, signalCode }: ChildProcess): number | string | null {
  return exitCode ?? signalCode;
}
