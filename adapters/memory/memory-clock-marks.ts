import type { ClockMarks, StoreTime } from '../../core/clock/clock-marks.port.ts';
import type { MemoryStore } from './data/memory-store.ts';

export class MemoryClockMarks implements ClockMarks {
  readonly #store: MemoryStore;

  constructor(store: MemoryStore) {
    this.#store = store;
  }

  async read(): Promise<StoreTime> {
    return { mark: this.#store.clockMark, server: null };
  }

  async raise(to: Date): Promise<void> {
    const { clockMark } = this.#store;
    if (clockMark === null || clockMark < to) this.#store.clockMark = to;
  }

  async reset(to: Date): Promise<void> {
    this.#store.clockMark = to;
  }

  async restoredAt(): Promise<Date | null> {
    return this.#store.restoredAt;
  }

  async noteRestore(at: Date | null): Promise<void> {
    this.#store.restoredAt = at;
  }
}
