import type { Call, MonotonicClock } from '../call.ts';
import type { ReplaceOutcome } from '../compare-and-set.ts';
import { KeptValue } from '../kept-value.ts';
import type { KeyRing } from './key-ring.ts';
import type { SigningKeys } from './signing-keys.port.ts';

/** The signing keys as a process knows them, so that a receipt costs no read of its own. */
export class KeptSigningKeys implements SigningKeys {
  readonly #keys: SigningKeys;
  readonly #kept: KeptValue<KeyRing | null>;

  constructor(keys: SigningKeys, clock: MonotonicClock) {
    this.#keys = keys;
    this.#kept = new KeptValue(
      (call) => keys.read(call),
      clock,
      (ring) => ring !== null,
    );
  }

  /** The keys as they were at most ten seconds ago. */
  known(call: Call): Promise<KeyRing | null> {
    return this.#kept.known(call);
  }

  read(call: Call): Promise<KeyRing | null> {
    return this.#kept.read(call);
  }

  replace(next: KeyRing, call: Call): Promise<ReplaceOutcome> {
    return this.#kept.write(
      () => this.#keys.replace(next, call),
      (outcome) => (outcome?.kind === 'replaced' ? { value: next } : 'same'),
    );
  }
}
