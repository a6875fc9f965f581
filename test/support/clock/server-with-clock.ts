import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { eventually } from '../eventually.ts';
import { programPath } from '../processes/command-process.ts';
import { patient, startNode } from '../processes/node-process.ts';

/** A server in its own process, whose wall clock differs from that of the machine. Its monotonic clock does not. */
export class ServerWithClock {
  readonly #child: ReturnType<typeof startNode>;
  readonly #folder: string;
  readonly #lines: readonly string[];
  readonly #ended: Promise<unknown>;

  private constructor(child: ReturnType<typeof startNode>, folder: string, lines: readonly string[]) {
    this.#child = child;
    this.#folder = folder;
    this.#lines = lines;
    this.#ended = once(child, 'close');
  }

  /** Starts a server whose clock is off by an offset of libfaketime, such as `+100d`, and waits until it serves. */
  static async start(storeUrl: string, offset: string, ...flags: readonly string[]): Promise<ServerWithClock> {
    const folder = await mkdtemp(join(tmpdir(), 'latchkey-clock-'));
    writeFileSync(join(folder, 'offset'), offset);
    const env = { ...process.env, ...fakedBy(join(folder, 'offset')) };
    const args = [programPath, 'serve', '--store', storeUrl, '--port', '0', '--log-format', 'json'];
    const child = startNode([...args, ...patient, ...flags], { env });
    child.stdout.resume();
    const lines: string[] = [];
    createInterface({ input: child.stderr }).on('line', (line) => lines.push(line));
    const server = new ServerWithClock(child, folder, lines);
    await server.logs('"message":"serving"');
    return server;
  }

  /** Waits until a line of the log contains a text. */
  async logs(text: string): Promise<void> {
    const isThere = async (): Promise<boolean> => this.#lines.some((line) => line.includes(text));
    const isOver = (found: boolean): boolean => found || this.#child.exitCode !== null;
    if (!(await eventually(isThere, isOver))) throw new Error(`no line has ${text}: ${this.#lines.join('\n')}`);
  }

  /** Sets its clock while it runs. */
  async set(offset: string): Promise<void> {
    writeFileSync(join(this.#folder, 'next'), offset);
    await rename(join(this.#folder, 'next'), join(this.#folder, 'offset'));
  }

  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#ended;
    await rm(this.#folder, { recursive: true });
  }
}

/** The environment in which libfaketime reads the offset of the wall clock from a file, again at each look at the clock. */
function fakedBy(file: string): NodeJS.ProcessEnv {
  // The program knows where the library is.
  const library = execFileSync('faketime', ['-m', '-f', '+0d', 'sh', '-c', 'printf %s "$LD_PRELOAD"'], {
    encoding: 'utf8',
  });
  return {
    LD_PRELOAD: library,
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_NO_CACHE: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  };
}
