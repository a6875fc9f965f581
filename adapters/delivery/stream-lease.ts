import type { DeliveryStream } from '../../core/webhook/stream/delivery-stream.ts';
import { idleTime, mayBegin, mustCut, renewalInterval } from '../../core/webhook/stream/lease.ts';
import { setAside, takenBack, wakes, type WaitingDelivery } from '../../core/webhook/stream/set-aside.ts';
import type { DeliveryParts } from './delivery-parts.ts';

/**
 * The interval at which a state that changes is written, in milliseconds. A process that is killed repeats what it did
 * since.
 */
const writeInterval = 1000;

/** The state of a stream that this process holds, and its copy in the store. */
export class StreamLease {
  state: DeliveryStream;
  readonly #parts: DeliveryParts;
  readonly #inFlight: Pick<ReadonlySet<string>, 'has'>;
  /** The deliveries set aside that are not stored yet, and those stored as set aside that were taken back. */
  readonly #put = new Map<string, WaitingDelivery>();
  readonly #taken = new Set<string>();
  /** Grows when a write begins and when it ends: a read from before may be outdated then. */
  #writes = 0;
  /** The state that the store has. */
  #stored: DeliveryStream;
  /** When the last write that succeeded was sent. */
  #renewedAt: number;
  #busyAt: number;
  /** The write in progress. It never rejects. */
  #writing: Promise<unknown> | null = null;
  #isReleased = false;
  /** Called once the state to which they were added is stored. */
  #whenStored: readonly (() => void)[] = [];

  private constructor(
    parts: DeliveryParts,
    stored: DeliveryStream,
    sentAt: number,
    inFlight: Pick<ReadonlySet<string>, 'has'>,
  ) {
    this.#parts = parts;
    this.#inFlight = inFlight;
    this.#stored = stored;
    this.#renewedAt = sentAt;
    this.#busyAt = sentAt;
    this.state = stored;
  }

  /** Takes a stream that is free. Returns null if another process was first. Nothing of `inFlight` is ever set aside. */
  static async take(
    parts: DeliveryParts,
    seen: DeliveryStream,
    inFlight: Pick<ReadonlySet<string>, 'has'>,
  ): Promise<StreamLease | null> {
    const sentAt = parts.monotonicClock();
    const next = { ...seen, holder: parts.holder, fence: seen.fence + 1 };
    const outcome = await parts.streams.replace(next, parts.newCall());
    return outcome.kind === 'replaced' ? new StreamLease(parts, next, sentAt, inFlight) : null;
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

  /** Reports whether the stream has been idle for long enough that another process may take it. */
  get isIdle(): boolean {
    return this.#parts.monotonicClock() - this.#busyAt >= idleTime;
  }

  keepBusy(): void {
    this.#busyAt = this.#parts.monotonicClock();
  }

  /**
   * Takes back the deliveries of some subjects that were set aside, and changes the state in the same instant, so that
   * events of a subject never overtake those that wait.
   */
  async changeWith(subjects: readonly string[], change: (state: DeliveryStream) => DeliveryStream): Promise<void> {
    while (this.#hasAside) {
      const missing = subjects.filter((id) => !this.state.pending.has(id));
      const writes = await this.#settledWrites();
      const rows = await this.#rowsOf(missing);
      if (writes !== this.#writes) continue;
      this.#takeBack(rows);
      break;
    }
    this.state = change(this.state);
  }

  /** Takes back the first deliveries that were set aside and are due, at most `limit`. */
  async wake(limit: number, now: Date): Promise<void> {
    if (limit <= 0 || !wakes(this.state, now)) return;
    const writes = await this.#settledWrites();
    const size = limit + this.#taken.size + 1;
    const rows = await this.#parts.streams.next(this.state, size, this.#parts.newCall());
    if (writes !== this.#writes) return;
    const isTried = ({ at }: WaitingDelivery): boolean => this.state.probe !== null || (at !== null && at <= now);
    const waiting = [...rows].filter(([id]) => !this.#taken.has(id) && !this.state.pending.has(id));
    const due = waiting.slice(0, limit).filter(([, row]) => isTried(row));
    this.#takeBack(new Map(due));
    const later = [waiting[due.length]?.[1], ...this.#put.values()].flatMap((row) => row?.at ?? []);
    const wakeAt = later.length === 0 ? null : new Date(Math.min(...later.map((at) => at.getTime())));
    this.state = { ...this.state, aside: { ...this.state.aside, wakeAt } };
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

  get #hasAside(): boolean {
    const { waiting, parked } = this.state.aside;
    return waiting + parked > 0 || this.#put.size > 0;
  }

  /** The number of writes when none is in progress. */
  async #settledWrites(): Promise<number> {
    while (this.#writing !== null) await this.#writing;
    return this.#writes;
  }

  /** The deliveries of some subjects that are set aside, those included that are not stored yet. */
  async #rowsOf(subjects: readonly string[]): Promise<ReadonlyMap<string, WaitingDelivery>> {
    const { streams, newCall } = this.#parts;
    // A subject that is still pending in the stored stream was delivered since: the state is newer.
    const stored = this.#stored;
    const asked = subjects.filter((id) => !stored.pending.has(id) && !this.#taken.has(id) && !this.#put.has(id));
    const found = asked.length === 0 ? null : await streams.find(stored, newCall(), asked);
    const rows = new Map<string, WaitingDelivery>();
    for (const id of subjects) {
      const events = asked.includes(id) ? found?.pending.get(id) : undefined;
      const row = events === undefined ? this.#put.get(id) : { ...events, effect: found?.effects.get(id) ?? null };
      if (row !== undefined) rows.set(id, row);
    }
    return rows;
  }

  #takeBack(rows: ReadonlyMap<string, WaitingDelivery>): void {
    this.state = takenBack(this.state, rows);
    for (const id of rows.keys()) {
      this.#put.delete(id);
      this.#taken.add(id);
    }
  }

  /** Sets aside the deliveries that need not be in the state. */
  #setAside(): void {
    const { stream, put } = setAside(this.state, this.#inFlight, this.#parts.clock());
    this.state = stream;
    for (const [id, row] of put) {
      this.#put.set(id, row);
      this.#taken.delete(id);
    }
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
    this.#setAside();
    const written = this.state;
    const stored = this.#whenStored;
    const next = { ...written, holder, fence: this.#stored.fence + 1 };
    const changes = { all: null, put: new Map(this.#put), remove: new Set(this.#taken) };
    this.#writes += 1;
    const outcome = await streams.replace(next, newCall(), changes);
    this.#writes += 1;
    if (outcome.kind === 'stale') return 'lost';
    for (const [id, row] of changes.put) if (this.#put.get(id) === row) this.#put.delete(id);
    for (const id of changes.remove) this.#taken.delete(id);
    // A change that was made meanwhile is written the next time.
    if (this.state === written) this.state = next;
    this.#stored = next;
    this.#renewedAt = sentAt;
    this.#whenStored = this.#whenStored.slice(stored.length);
    for (const act of stored) act();
    return 'held';
  }
}
