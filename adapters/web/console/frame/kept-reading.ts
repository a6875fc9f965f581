import type { Call } from '../../../../core/call.ts';

const maxAge = 60_000;

/** Reads something that costs much at most once a minute, for all who look at it. A failure is not kept. */
export class KeptReading<Value> {
  readonly #read: (call: Call) => Promise<Value>;
  #kept: { readonly at: Date; readonly value: Promise<Value> } | null = null;

  constructor(read: (call: Call) => Promise<Value>) {
    this.#read = read;
  }

  read(call: Call): Promise<Value> {
    const kept = this.#kept;
    if (kept !== null && Math.abs(call.now.getTime() - kept.at.getTime()) < maxAge) return kept.value;
    const own = { at: call.now, value: this.#read(call) };
    this.#kept = own;
    own.value.catch(() => {
      if (this.#kept === own) this.#kept = null;
    });
    return own.value;
  }

  /** Reads it anew the next time, because something was changed here. */
  forget(): void {
    this.#kept = null;
  }
}
