import type { Call } from '../call.ts';

/** The times that the store knows. */
export interface StoreTime {
  /** The latest time at which a server with a trusted clock used the store; null if none ever did. */
  readonly mark: Date | null;
  /** The time of the store's own server; null if the store has none. */
  readonly server: Date | null;
}

/**
 * The mark of the clock in the store: by it, a process notices that its own clock is far ahead. Beside it is the note of a
 * restore: by it, the next server knows that what waits was there in the backup.
 */
export interface ClockMarks {
  read(call: Call): Promise<StoreTime>;

  /** Moves the mark to an instant. A later mark stays. */
  raise(to: Date, call: Call): Promise<void>;

  /** Moves the mark to an instant, also backwards. */
  reset(to: Date, call: Call): Promise<void>;

  /** Returns when the store was restored from a backup, if no server has returned to it since; null otherwise. */
  restoredAt(call: Call): Promise<Date | null>;

  /** Notes that the store was restored at an instant, or that a server has returned to it (null). */
  noteRestore(at: Date | null, call: Call): Promise<void>;
}
