import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import type { Members } from './cases.ts';
import { GateLost, type GateUnderTest } from './judge.ts';

/** Milliseconds after which a gate counts as hung: the first answer may have to wait for a compiler. */
const patience = { first: 600_000, later: 20_000 } as const;

/** A gate in a process of its own, which reads a JSON object from each line and prints one. */
export class GateProcess implements GateUnderTest {
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;
  readonly #lines: AsyncIterator<string>;
  readonly #name: string;
  #patience: number = patience.first;

  constructor([program = '', ...parameters]: readonly string[], cwd: string) {
    this.#name = program;
    this.#child = spawn(program, parameters, { cwd, stdio: ['pipe', 'pipe', 'inherit'] });
    this.#child.stdin.on('error', () => {});
    this.#lines = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();
  }

  async send(message: Members): Promise<Members> {
    this.#child.stdin.write(`${JSON.stringify(message)}\n`);
    const { promise: late, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => reject(new GateLost(`${this.#name} does not answer`)), this.#patience);
    try {
      const { done, value } = await Promise.race([this.#lines.next(), late]);
      if (done === true) throw new GateLost(`${this.#name} has ended`);
      this.#patience = patience.later;
      return JSON.parse(value) as Members;
    } finally {
      clearTimeout(timer);
    }
  }

  async stop(): Promise<void> {
    const ended = this.#child.exitCode === null ? once(this.#child, 'exit') : null;
    this.#child.stdin.end();
    this.#child.kill();
    await ended;
  }
}
