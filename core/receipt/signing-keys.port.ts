import type { Call } from '../call.ts';
import type { ReplaceOutcome } from '../compare-and-set.ts';
import type { KeyRing } from './key-ring.ts';

/** The record of all signing keys. */
export interface SigningKeys {
  /** Null if no keys have been made yet. */
  read(call: Call): Promise<KeyRing | null>;

  /** Stores a ring if the stored revision is one less than that of `next`, or if `next` is the first and nothing is stored. */
  replace(next: KeyRing, call: Call): Promise<ReplaceOutcome>;
}
