import { setTimeout as wait } from 'node:timers/promises';
import type { Call } from '../../core/call.ts';
import type { CatalogIndex } from './catalog-index.ts';

/** Milliseconds between two refreshes. A change must be visible within a second. */
const refreshInterval = 100;

/** The timeout of reading changes, in milliseconds. */
const changesTimeout = 5000;

/** The timeout of the first refresh and of one after a failure, in milliseconds: it may have to read the whole catalog. */
const loadTimeout = 60_000;

/** Refreshes a catalog index at short intervals. After a failed refresh, the index stays as it is until the next one. */
export class CatalogRefresher {
  readonly #index: CatalogIndex;
  readonly #newCall: (timeout: number) => Call;
  readonly #onFailure: (error: unknown) => void;
  #failing = false;
  #timer: NodeJS.Timeout | null = null;
  #running: Promise<void> = Promise.resolve();
  #stopped = false;

  /**
   * `newCall` begins a call with a timeout in milliseconds. `onFailure` is called for the first failure of a series.
   */
  constructor(index: CatalogIndex, newCall: (timeout: number) => Call, onFailure: (error: unknown) => void) {
    this.#index = index;
    this.#newCall = newCall;
    this.#onFailure = onFailure;
  }

  /** Resolves after the first refresh, successful or not. Refreshes go on until `stop`. */
  async start(): Promise<void> {
    this.#running = this.#refresh();
    await this.#running;
    if (this.#stopped) return;
    this.#timer = setTimeout(() => void this.start(), refreshInterval).unref();
  }

  /** Stops refreshing. Resolves when the running refresh has settled, or after `timeout` milliseconds. */
  async stop(timeout: number): Promise<void> {
    this.#stopped = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    const settled = new AbortController();
    const running = this.#running.finally(() => settled.abort());
    await Promise.race([running, wait(timeout, undefined, { signal: settled.signal }).catch(() => {})]);
  }

  async #refresh(): Promise<void> {
    const timeout = this.#failing || this.#index.age() === Infinity ? loadTimeout : changesTimeout;
    try {
      await this.#index.refresh(this.#newCall(timeout));
      this.#failing = false;
    } catch (error) {
      if (!this.#failing && !this.#stopped) this.#onFailure(error);
      this.#failing = true;
    }
  }
}
