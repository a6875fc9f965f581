import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { basename } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import type { Members } from './cases.ts';
import { GateLost, type GateUnderTest } from './judge.ts';

/** Milliseconds after which a gate counts as hung: the first answer may have to wait for a compiler. */
const patience = { first: 600_000, later: 20_000 } as const;

/** Milliseconds that a program has to end after its output has. */
const grace = 2000;

/** The number of characters, from the end of a program's output, that a finding shows. */
const lastWords = 1000;

/** A gate in a process of its own, which reads a JSON object from each line and prints one. */
export class GateProcess implements GateUnderTest {
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly #lines: AsyncIterator<string>;
  readonly #name: string;
  /** The end of the program, in words. */
  readonly #ended: Promise<string>;
  #printed = '';
  #patience: number = patience.first;

  constructor([program = '', ...parameters]: readonly string[], cwd: string) {
    this.#name = basename(program);
    this.#child = spawn(program, parameters, { cwd, stdio: 'pipe' });
    this.#child.stdin.on('error', () => {});
    this.#child.stderr.setEncoding('utf8').on('data', (text: string) => {
      process.stderr.write(text);
      this.#printed = `${this.#printed}${text}`.slice(-lastWords);
    });
    this.#ended = new Promise((resolve) => {
      this.#child.on('error', ({ message }) => resolve(`cannot be started (${message})`));
      this.#child.on('close', (code, signal) =>
        resolve(signal === null ? `ended with code ${code}` : `ended by ${signal}`),
      );
    });
    this.#lines = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();
  }

  async send(message: Members): Promise<Members> {
    this.#child.stdin.write(`${JSON.stringify(message)}\n`);
    const call = String(message['call']);
    const { promise: late, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => reject(new GateLost(this.#lost('does not answer', call))), this.#patience);
    try {
      const { done, value } = await Promise.race([this.#lines.next(), late]);
      if (done === true) throw new GateLost(this.#lost(await this.#end(), call));
      this.#patience = patience.later;
      return this.#read(value);
    } finally {
      clearTimeout(timer);
    }
  }

  async stop(): Promise<void> {
    this.#child.stdin.end();
    this.#child.kill();
    await this.#end();
    // Programs that it has started may still hold its output.
    this.#child.kill('SIGKILL');
    this.#child.stdout.destroy();
    this.#child.stderr.destroy();
  }

  #end(): Promise<string> {
    return Promise.race([this.#ended, wait(grace, 'has closed its output', { ref: false })]);
  }

  #lost(how: string, call: string): string {
    const printed = this.#printed.trim();
    const at = how.startsWith('cannot') ? '' : ` at ${call}`;
    return `${this.#name} ${how}${at}${printed === '' ? '' : `, and printed: ${printed}`}`;
  }

  #read(line: string): Members {
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch {
      value = null;
    }
    if (typeof value !== 'object' || value === null)
      throw new Error(`${this.#name} printed no JSON object: ${line.slice(0, lastWords)}`);
    return value as Members;
  }
}
