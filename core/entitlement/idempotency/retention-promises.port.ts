import type { Call } from '../../call.ts';
import type { RetentionPromise } from './retention.ts';

/** The promises that servers have made about the records of a store. They stand in the store, for all of its processes. */
export interface RetentionPromises {
  list(call: Call): Promise<readonly RetentionPromise[]>;

  /** Stores a promise. One of the same length is extended, and never shortened. */
  add(promise: RetentionPromise, call: Call): Promise<void>;
}
