import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { programPath } from './command-process.ts';
import { startNode } from './node-process.ts';

const listens = 'a worker listens';

/** A server of several processes. */
export class WorkersProcess {
  readonly url: string;
  readonly adminUrl: string;
  /** What it has logged. Throws while a line is no JSON. */
  readonly log: () => readonly Record<string, unknown>[];
  readonly #child: ReturnType<typeof startNode>;
  readonly #ended: Promise<unknown[]>;

  private constructor(child: ReturnType<typeof startNode>, lines: readonly string[], serving: Record<string, unknown>) {
    this.#child = child;
    this.#ended = once(child, 'close');
    this.url = String(serving['address']);
    this.adminUrl = String(serving['admin']);
    this.log = () => lines.map((line): Record<string, unknown> => JSON.parse(line));
  }

  /** Starts `serve`, and waits until every worker listens. */
  static async start(storeUrl: string, workers: number, ...flags: readonly string[]): Promise<WorkersProcess> {
    const ports = ['--port', '0', '--admin-port', '0', '--workers', String(workers)];
    const child = startNode([programPath, 'serve', '--store', storeUrl, ...ports, ...flags]);
    child.stdout.resume();
    const lines: string[] = [];
    const reader = createInterface({ input: child.stderr }).on('line', (line) => lines.push(line));
    const ended = once(child, 'close');
    const serving = (): string | undefined => lines.find((line) => line.includes('"message":"serving"'));
    while (serving() === undefined && child.exitCode === null) await Promise.race([once(reader, 'line'), ended]);
    const line = serving();
    if (line === undefined) throw new Error(`the server did not start: ${lines.join('\n')}`);
    return new WorkersProcess(child, lines, JSON.parse(line));
  }

  /** The ids of the worker processes that listen now. */
  workers(): readonly number[] {
    const listened = this.log().filter(({ message }) => message === listens);
    return listened.map(({ worker }) => Number(worker)).filter(isRunning);
  }

  /** Waits until so many workers have begun to listen since the start of the server, those of the start included. */
  listened(count: number): Promise<void> {
    return this.logs(listens, count);
  }

  /** Waits until the log has so many lines with this message. */
  async logs(message: string, count = 1): Promise<void> {
    const found = (): number => this.log().filter((line) => line['message'] === message).length;
    while (found() < count && this.#child.exitCode === null) await sleep(20);
    if (found() < count) throw new Error(`the server ended before its log had ${count} lines: ${message}`);
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

export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
