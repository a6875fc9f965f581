import type { Call } from '../call.ts';
import type { ReplaceOutcome } from '../compare-and-set.ts';
import type { Trial } from './trial.ts';

/** A part of the list of the trials of one product, the newest first; of those that began at once, by descending id. */
export interface TrialPart {
  readonly productId: string;
  /** Only those that became this entitlement; null for any. */
  readonly entitlementId: string | null;
  /** The last trial before the part; null for the first part. */
  readonly after: Pick<Trial, 'id' | 'startedAt'> | null;
  readonly limit: number;
}

/** The trials of devices. */
export interface Trials {
  find(id: string, call: Call): Promise<Trial | null>;

  page(part: TrialPart, call: Call): Promise<readonly Trial[]>;

  /** Adds a trial, unless there is one with its id. Safe to repeat. */
  add(trial: Trial, call: Call): Promise<void>;

  /** Stores a trial if the stored revision is one less. */
  replace(next: Trial, call: Call): Promise<ReplaceOutcome>;

  /** Removes at most 500 trials that ended at this instant or before, and returns their number. */
  prune(end: Date, call: Call): Promise<number>;
}
