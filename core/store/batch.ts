/**
 * The message by which a store reports a batch. It stands in core because the stores publish it and the metrics
 * subscribe to it, and adapters do not import each other.
 */
export interface Batch {
  /** `events`: moved to the log of a product. */
  readonly kind: 'look-ups' | 'writes' | 'events';
  readonly size: number;
}

/** The name of the `node:diagnostics_channel` on which stores publish each `Batch`. */
export const batchChannel = 'latchkey:batch';
