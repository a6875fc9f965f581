import type { DeliveryStream } from '../../core/webhook/stream/delivery-stream.ts';
import { idleTime, mayBegin, mustCut, renewalInterval } from '../../core/webhook/stream/lease.ts';
import type { DeliveryParts } from './delivery-parts.ts';

/** How often a state that changes is written, in milliseconds. A process that is killed repeats what it did since. */
const writeInterval = 1000;

/** The state of a stream that this process holds, and its copy in the store. */
export class StreamLease {
  state: DeliveryStream;
  readonly #parts: DeliveryParts;
  /** The state that the store has. */
  #stored: DeliveryStream;
  /** When the last write that succeeded was sent. */
  #renewedAt: number;
  #busyAt: number;
  /** The write in progress, which does not fail here. */
  #writing: Promise<unknown> | null = null;
  #isReleased = false;
  /** Called once the state is stored in which they were added. */
  #whenStored: readonly (() => void)[] = [];

  private constructor(parts: DeliveryParts, stored: DeliveryStream, sentAt: number) {
    this.#parts = parts;
    this.#stored = stored;
    this.#renewedAt = sentAt;
    this.#busyAt = sentAt;
    this.state = stored;
  }

  /** Takes a stream that is free. Returns null if another process was first. */
  static async take(parts: DeliveryParts, seen: DeliveryStream): Promise<StreamLease | null> {
    const sentAt = parts.monotonicClock();
    const next = { ...seen, holder: parts.holder, fence: seen.fence + 1 };
    const outcome = await parts.streams.replace(next, parts.newCall());
    return outcome.kind === 'replaced' ? new StreamLease(parts, next, sentAt) : null;
  }

  /** The fence of the stored state, as far as this process writes it. */
  get fence(): number {
    return this.#writing === null ? this.#stored.fence : this.#stored.fence + 1;
  }

  /** Reports whether a request may begin: its answer arrives before another process can take the stream over. */
  get mayBegin(): boolean {
    return mayBegin(this.#renewedAt, this.#parts.monotonicClock());
  }

  /** Reports whether requests in flight must end: another process may soon take the stream over. */
  get mustCut(): boolean {
    return mustCut(this.#renewedAt, this.#parts.monotonicClock());
  }

  /** Reports whether the stream has had nothing to do for so long that others may as well take it. */
  get isIdle(): boolean {
    return this.#parts.monotonicClock() - this.#busyAt >= idleTime;
  }

  keepBusy(): void {
    this.#busyAt = this.#parts.monotonicClock();
  }

  /** Calls a function once the present state is stored; never if another process has written the stream. */
  whenStored(act: () => void): void {
    this.#whenStored = [...this.#whenStored, act];
  }

  /** Writes the state if it is time to: a second after the last write if it has changed, otherwise to renew the lease. */
  async save(): Promise<'held' | 'lost'> {
    const age = this.#parts.monotonicClock() - this.#renewedAt;
    const isDue = age >= (this.#isChanged ? writeInterval : renewalInterval);
    if (this.#writing !== null || !isDue) return 'held';
    return this.#write(this.#parts.holder);
  }

  /** Writes the present state now, after a write in progress. */
  async saveNow(): Promise<'held' | 'lost'> {
    let isStored = false;
    this.whenStored(() => {
      isStored = true;
    });
    for (;;) {
      while (this.#writing !== null) await this.#writing;
      if (isStored) return 'held';
      if (this.#isReleased || (await this.#write(this.#parts.holder)) === 'lost') return 'lost';
    }
  }

  /** Writes the state and frees the stream. */
  async release(): Promise<void> {
    this.#isReleased = true;
    while (this.#writing !== null) await this.#writing;
    await this.#write(null);
  }

  get #isChanged(): boolean {
    return this.state !== this.#stored;
  }

  async #write(holder: string | null): Promise<'held' | 'lost'> {
    const writing = this.#replace(holder);
    this.#writing = writing.catch(() => undefined);
    try {
      return await writing;
    } finally {
      this.#writing = null;
    }
  }

  async #replace(holder: string | null): Promise<'held' | 'lost'> {
    const { streams, monotonicClock, newCall } = this.#parts;
    const sentAt = monotonicClock();
    const written = this.state;
    const stored = this.#whenStored;
    const next = { ...written, holder, fence: this.#stored.fence + 1 };
    const outcome = await streams.replace(next, newCall());
    if (outcome.kind === 'stale') return 'lost';
    // What has changed meanwhile is written the next time.
    if (this.state === written) this.state = next;
    this.#stored = next;
    this.#renewedAt = sentAt;
    this.#whenStored = this.#whenStored.slice(stored.length);
    for (const act of stored) act();
    return 'held';
  }
}
