import type { Call } from '../../../../core/call.ts';
import { reachName } from '../../../../core/reach.ts';

const maxAge = 60_000;

interface Kept<Value> {
  readonly at: Date;
  readonly value: Promise<Value>;
}

/** Reads something that costs much at most once a minute, for all callers of one reach. A failure is not kept. */
export class KeptReading<Value> {
  readonly #read: (call: Call) => Promise<Value>;
  /** By the reach of those who look at it. */
  readonly #kept = new Map<string, Kept<Value>>();

  constructor(read: (call: Call) => Promise<Value>) {
    this.#read = read;
  }

  read(call: Call): Promise<Value> {
    const reach = reachName(call.products);
    this.#dropOld(call.now);
    const kept = this.#kept.get(reach);
    if (kept !== undefined) return kept.value;
    const own = { at: call.now, value: this.#read(call) };
    this.#kept.set(reach, own);
    own.value.catch(() => {
      if (this.#kept.get(reach) === own) this.#kept.delete(reach);
    });
    return own.value;
  }

  /** Reads it again the next time, because something was changed here. */
  forget(): void {
    this.#kept.clear();
  }

  #dropOld(now: Date): void {
    for (const [reach, { at }] of this.#kept) {
      if (Math.abs(now.getTime() - at.getTime()) >= maxAge) this.#kept.delete(reach);
    }
  }
}
