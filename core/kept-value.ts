import type { Call, MonotonicClock } from './call.ts';

/** Milliseconds for which a value is not read again. */
const freshTime = 5000;

/** Milliseconds after which a value that was read is not used any more, so that every process knows a change by then. */
const maxAge = 10_000;

interface Kept<Value> {
  readonly value: Value;
  /** When its reading began, by the monotonic clock. */
  readonly at: number;
}

/** A value of the store, cached by a process so that a request costs no read of its own. */
export class KeptValue<Value> {
  readonly #read: (call: Call) => Promise<Value>;
  readonly #clock: MonotonicClock;
  readonly #isLasting: (value: Value) => boolean;
  #kept: Kept<Value> | null = null;
  #reading: Promise<Value> | null = null;
  #triedAt = 0;
  /** Counts the writes: a value that was read before one of them is not kept after it. */
  #writes = 0;

  /**
   * A value that does not last is read again after five seconds, by the call that asks for it. By default, every value
   * lasts.
   */
  constructor(
    read: (call: Call) => Promise<Value>,
    clock: MonotonicClock,
    isLasting: (value: Value) => boolean = () => true,
  ) {
    this.#read = read;
    this.#clock = clock;
    this.#isLasting = isLasting;
  }

  /**
   * The value as it was at most ten seconds ago. It is read in the background once it is five seconds old, so that a
   * call waits for it only in a process that has not asked for ten seconds.
   */
  async known(call: Call): Promise<Value> {
    const kept = this.#kept;
    if (kept === null) return this.#readOnce(call);
    const now = this.#clock();
    const age = now - kept.at;
    if (age < freshTime) return kept.value;
    if (!this.#isLasting(kept.value) || age >= maxAge) return this.#readOnce(call);
    // After a fault the next caller reads again, and gets the fault if it is still there.
    if (now - this.#triedAt >= freshTime) this.#readOnce(call).catch(() => {});
    return kept.value;
  }

  async read(call: Call): Promise<Value> {
    const at = this.#clock();
    const writes = this.#writes;
    const value = await this.#read(call);
    // A value that was read before the kept one is not kept either.
    const isLast = this.#kept === null || at >= this.#kept.at;
    if (isLast && this.#writes === writes) this.#kept = { value, at };
    return value;
  }

  /**
   * Runs a write. `keptAfter` says what to keep after it: another value, the same as before, or nothing. It is passed
   * null for a write that throws.
   */
  async write<Outcome>(
    send: () => Promise<Outcome>,
    keptAfter: (outcome: Outcome | null) => { readonly value: Value } | 'same' | 'nothing',
  ): Promise<Outcome> {
    const at = this.#clock();
    this.#writes += 1;
    let outcome: Outcome | null = null;
    try {
      outcome = await send();
      return outcome;
    } finally {
      this.#writes += 1;
      const after = keptAfter(outcome);
      if (after !== 'same') this.#kept = after === 'nothing' ? null : { value: after.value, at };
      // A read in progress may return the value from before the write.
      this.#reading = null;
    }
  }

  /** Reads once for all calls that wait at the same time. */
  #readOnce(call: Call): Promise<Value> {
    if (this.#reading !== null) return this.#reading;
    this.#triedAt = this.#clock();
    const reading = this.read(call).finally(() => {
      if (this.#reading === reading) this.#reading = null;
    });
    this.#reading = reading;
    return reading;
  }
}
