import type { Call } from '../../core/call.ts';
import type { CatalogIndex } from './catalog-index.ts';

/** Between two refreshes, in milliseconds: well within the second in which a change must be visible. */
const pause = 100;

/** Keeps a catalog index fresh. A refresh that fails leaves what there is and is tried again. */
export class CatalogRefresher {
  readonly #index: CatalogIndex;
  readonly #newCall: () => Call;
  readonly #onFailure: (error: unknown) => void;
  #freshAt: number | null = null;
  #failing = false;
  #timer: NodeJS.Timeout | null = null;
  #running: Promise<void> = Promise.resolve();
  #stopped = false;

  /** `newCall` says how long one refresh may wait; `onFailure` hears of the first failure of a series. */
  constructor(index: CatalogIndex, newCall: () => Call, onFailure: (error: unknown) => void) {
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

  /** Resolves when nothing is under way any more. */
  async stop(): Promise<void> {
    this.#stopped = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    await this.#running;
  }

  /** How old the catalog may be, in milliseconds; null before the first load. */
  age(): number | null {
    return this.#freshAt === null ? null : performance.now() - this.#freshAt;
  }

  async #refresh(): Promise<void> {
    const began = performance.now();
    try {
      await this.#index.refresh(this.#newCall());
      this.#freshAt = began;
      this.#failing = false;
    } catch (error) {
      if (!this.#failing) this.#onFailure(error);
      this.#failing = true;
    }
  }
}
