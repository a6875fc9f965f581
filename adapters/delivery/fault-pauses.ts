import type { MonotonicClock } from '../../core/call.ts';

/** Milliseconds of the first pause, doubled by each further fault. */
const minPause = 1000;
const maxPause = 10_000;

/** Milliseconds after the last pause at which a series of faults ends. */
const seriesEnd = 60_000;

interface Series {
  readonly pause: number;
  readonly until: number;
}

/** Pauses work that has failed before it is tried again, and recognizes the first fault of a series. */
export class FaultPauses {
  readonly #clock: MonotonicClock;
  readonly #series = new Map<string, Series>();

  constructor(clock: MonotonicClock) {
    this.#clock = clock;
  }

  isPaused(key: string): boolean {
    const series = this.#series.get(key);
    return series !== undefined && this.#clock() < series.until;
  }

  /** Begins a pause after a fault. Returns whether it is the first of a series. */
  begin(key: string): boolean {
    const now = this.#clock();
    this.#forget(now);
    const known = this.#series.get(key);
    const pause = known === undefined ? minPause : Math.min(2 * known.pause, maxPause);
    this.#series.set(key, { pause, until: now + pause });
    return known === undefined;
  }

  #forget(now: number): void {
    for (const [key, { until }] of this.#series) if (now - until >= seriesEnd) this.#series.delete(key);
  }
}
