/** Look-ups or writes that a store has sent as one. */
export interface Batch {
  readonly kind: 'look-ups' | 'writes';
  readonly size: number;
}

/** The diagnostics channel on which stores tell of each `Batch` to whoever measures the service. */
export const batchChannel = 'latchkey:batch';
