import { setTimeout as wait } from 'node:timers/promises';
import type { NewCall } from '../../../core/call.ts';
import type { LookAt } from '../look/look.ts';

/** Milliseconds before a look that has failed is repeated, doubled by each further failure. */
const minPause = 1000;
const maxPause = 60_000;

/** Looks at entitlements, one after the other, and repeats a look that has failed. Those left at the end are lost. */
export class LookQueue {
  readonly #look: LookAt;
  readonly #newCall: NewCall;
  readonly #ids = new Set<string>();
  readonly #stopping = new AbortController();
  #running: Promise<void> | null = null;

  constructor(look: LookAt, newCall: NewCall) {
    this.#look = look;
    this.#newCall = newCall;
  }

  add(id: string): void {
    this.#ids.add(id);
    this.#begin();
  }

  /** Begins no more looks. Resolves once the one in progress has ended. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  #begin(): void {
    if (this.#stopping.signal.aborted || this.#ids.size === 0) return;
    this.#running ??= this.#run().finally(() => {
      this.#running = null;
      this.#begin();
    });
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    let pause = minPause;
    for (const id of this.#ids) {
      if (signal.aborted) return;
      this.#ids.delete(id);
      try {
        await this.#look(id, this.#newCall());
        pause = minPause;
      } catch {
        this.#ids.add(id);
        await wait(pause, undefined, { signal, ref: false }).catch(() => undefined);
        pause = Math.min(2 * pause, maxPause);
      }
    }
  }
}
