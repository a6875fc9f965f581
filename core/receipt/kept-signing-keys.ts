import type { Call, MonotonicClock } from '../call.ts';
import type { ReplaceOutcome } from '../compare-and-set.ts';
import type { KeyRing } from './key-ring.ts';
import type { SigningKeys } from './signing-keys.port.ts';

/** Milliseconds for which the keys are not read again. */
const freshTime = 5000;

/** Milliseconds after which keys that were read are not used any more, so that every process knows a change by then. */
const maxAge = 10_000;

interface Kept {
  readonly ring: KeyRing | null;
  /** When their reading began, by the monotonic clock. */
  readonly at: number;
}

/** The signing keys as a process knows them, so that a receipt costs no read of its own. */
export class KeptSigningKeys implements SigningKeys {
  readonly #keys: SigningKeys;
  readonly #clock: MonotonicClock;
  #kept: Kept | null = null;
  #reading: Promise<KeyRing | null> | null = null;
  #triedAt = 0;
  /** Counts the writes, because what was read before one of them is not kept after it. */
  #writes = 0;

  constructor(keys: SigningKeys, clock: MonotonicClock) {
    this.#keys = keys;
    this.#clock = clock;
  }

  /**
   * The keys as they were at most ten seconds ago. They are read in the background once they are five seconds old, so that
   * the call waits for them only in a process that did not ask for ten.
   */
  async known(call: Call): Promise<KeyRing | null> {
    const kept = this.#kept;
    if (kept === null) return this.#readOnce(call);
    const now = this.#clock();
    const age = now - kept.at;
    if (age < freshTime) return kept.ring;
    if (kept.ring === null || age >= maxAge) return this.#readOnce(call);
    // After a fault the next caller reads again, and gets the fault if it is still there.
    if (now - this.#triedAt >= freshTime) this.#readOnce(call).catch(() => {});
    return kept.ring;
  }

  async read(call: Call): Promise<KeyRing | null> {
    const at = this.#clock();
    const writes = this.#writes;
    const ring = await this.#keys.read(call);
    // Nor is what was read before what is kept.
    const isLast = this.#kept === null || at >= this.#kept.at;
    if (isLast && this.#writes === writes) this.#kept = { ring, at };
    return ring;
  }

  async replace(next: KeyRing, call: Call): Promise<ReplaceOutcome> {
    const at = this.#clock();
    this.#writes += 1;
    const outcome = await this.#keys.replace(next, call);
    this.#writes += 1;
    if (outcome.kind === 'replaced') this.#kept = { ring: next, at };
    return outcome;
  }

  /** Reads once for all calls that wait at the same time. */
  #readOnce(call: Call): Promise<KeyRing | null> {
    if (this.#reading === null) {
      this.#triedAt = this.#clock();
      this.#reading = this.read(call).finally(() => {
        this.#reading = null;
      });
    }
    return this.#reading;
  }
}
