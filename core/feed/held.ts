/** A request that is held until there is something to answer. */
export interface Held {
  /** Resolves once it is over: with true if there is something, with false otherwise. */
  readonly over: Promise<boolean>;
  /** Ends it now, with false unless it is over already. */
  end(): void;
}

/** Waits until a held request is over, and ends it early if nobody waits for its answer or the server stops. */
export type Hold = (held: Held) => Promise<boolean>;
