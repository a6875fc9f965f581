import type { Call } from '../call.ts';

/** What the store knows of the time. */
export interface StoreTime {
  /** The latest time at which a server with a trusted clock used the store; null if none ever did. */
  readonly mark: Date | null;
  /** The time of the store's own server; null if the store has none. */
  readonly server: Date | null;
}

/** The mark of the clock in the store: by it, a process notices that its own clock is far ahead. */
export interface ClockMarks {
  read(call: Call): Promise<StoreTime>;

  /** Moves the mark to an instant. A later mark stays. */
  raise(to: Date, call: Call): Promise<void>;

  /** Moves the mark to an instant, also backwards. */
  reset(to: Date, call: Call): Promise<void>;
}
