import { setTimeout as pauseFor } from 'node:timers/promises';
import type { Call } from '../../core/call.ts';
import type { CatalogIndex } from './catalog-index.ts';

/** Between two refreshes, in milliseconds: well within the second in which a change must be visible. */
const pause = 100;

/** How long to wait for changes, and for a whole catalog, which may be what a failed refresh was waiting for; in milliseconds. */
const patienceForChanges = 5000;
const patienceForAll = 60_000;

/** Keeps a catalog index fresh. A refresh that fails leaves what there is and is tried again. */
export class CatalogRefresher {
  readonly #index: CatalogIndex;
  readonly #newCall: (patience: number) => Call;
  readonly #onFailure: (error: unknown) => void;
  #failing = false;
  #timer: NodeJS.Timeout | null = null;
  #running: Promise<void> = Promise.resolve();
  #stopped = false;

  /** `newCall` begins a call of so many milliseconds; `onFailure` hears of the first failure of a series. */
  constructor(index: CatalogIndex, newCall: (patience: number) => Call, onFailure: (error: unknown) => void) {
    this.#index = index;
    this.#newCall = newCall;
    this.#onFailure = onFailure;
  }

  /** Resolves after the first refresh, failed or not, and goes on until `stop`. */
  async start(): Promise<void> {
    this.#running = this.#refresh();
    await this.#running;
    if (this.#stopped) return;
    this.#timer = setTimeout(() => void this.start(), pause).unref();
  }

  /** Resolves when nothing is under way any more, but after `patience` milliseconds at the latest: what comes then is nobody's. */
  async stop(patience: number): Promise<void> {
    this.#stopped = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    const over = new AbortController();
    const running = this.#running.finally(() => over.abort());
    await Promise.race([running, pauseFor(patience, undefined, { signal: over.signal }).catch(() => {})]);
  }

  async #refresh(): Promise<void> {
    const patience = this.#failing || this.#index.age() === Infinity ? patienceForAll : patienceForChanges;
    try {
      await this.#index.refresh(this.#newCall(patience));
      this.#failing = false;
    } catch (error) {
      if (!this.#failing && !this.#stopped) this.#onFailure(error);
      this.#failing = true;
    }
  }
}
