import { Agent } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { eventually } from '../../support/eventually.ts';
import { range } from '../../support/range.ts';
import { statusOf } from './requests.ts';

/** A client waits for a multiple of the time that its request took: workers that start need the processor, too. */
const pauses = 5;

/** Clients that send one request after the other, on connections that stay open. */
export class Traffic {
  /** The status of each answer, or the code of an error. */
  readonly statuses: (number | string)[] = [];
  readonly #agent = new Agent({ keepAlive: true });
  readonly #running: Promise<unknown>;
  #isStopped = false;

  constructor(url: string, clients: number) {
    this.#running = Promise.all(range(clients).map(() => this.#run(url)));
  }

  /** Waits until `count` more requests have ended. */
  async answers(count: number): Promise<void> {
    const until = this.statuses.length + count;
    await eventually(
      async () => this.statuses.length,
      (length) => length >= until,
    );
  }

  /** Lets each client end its request. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#running;
    this.#agent.destroy();
  }

  async #run(url: string): Promise<void> {
    while (!this.#isStopped) {
      const begun = performance.now();
      this.statuses.push(await statusOf(url, this.#agent));
      await pause(pauses * (performance.now() - begun));
    }
  }
}
