import type { Call } from '../call.ts';

/** The result of checking one aspect of the store. */
export interface Finding {
  readonly check:
    | 'schema'
    | 'integrity'
    | 'write'
    | 'events'
    | 'devices'
    | 'affiliates'
    | 'storefronts'
    | 'statements'
    | 'webhooks'
    | 'signing-keys';
  readonly ok: boolean;
  /** For the administrator. Never contains a key, a license or an address. */
  readonly message: string;
}

export type BackupOutcome =
  | { readonly kind: 'copied'; readonly bytes: number }
  | { readonly kind: 'file exists' }
  /** The folder is missing, full or read-only. */
  | { readonly kind: 'not writable' }
  /** The store is not a file. */
  | { readonly kind: 'no file' }
  | { readonly kind: 'stopped' };

/** The last backup, as far as the store knows it. */
export type LastBackup =
  /** Everything that was written before `at` is in it. */
  | { readonly kind: 'made'; readonly at: Date }
  | { readonly kind: 'none' }
  /** Backups of the store are made by other programs, if at all. */
  | { readonly kind: 'unknown' };

/** A position in the walk over all records. Only the store that returned it can read it. */
export type PruneCursor = string;

export interface Pruned {
  readonly removed: number;
  /** The beginning of the next slice, or null after the last one. */
  readonly next: PruneCursor | null;
}

/** Work on a store as a whole, while requests go on. Only the administrator's commands and the metrics use it. */
export interface Maintenance {
  /** Checks the schema and all content, then writes a record and removes it. A fault of the store is a finding. */
  check(call: Call): Promise<readonly Finding[]>;

  /**
   * Copies the store as of one instant during the call to a new file, which appears once it is complete. Ends without a
   * file soon after `isStopped` returns true.
   */
  backup(path: string, call: Call, isStopped: () => boolean): Promise<BackupOutcome>;

  /** Returns when the last backup by `backup` was made, in any process. */
  lastBackup(call: Call): Promise<LastBackup>;

  /**
   * Returns the instant at which the oldest event without a position was stored. Returns null if no event waits, and in
   * stores that give each event its position with the change.
   */
  oldestWaitingEvent(call: Call): Promise<Date | null>;

  /**
   * Returns the sequence of the last event of each of these subjects of a product that has no position yet. Subjects
   * (`subjectOf`) without such an event are left out.
   */
  waitingSequences(productId: string, subjects: readonly string[], call: Call): Promise<ReadonlyMap<string, number>>;

  /**
   * Removes the expired idempotency records of one slice, the first if `from` is null. A slice takes a short time in a
   * store of any size.
   */
  prune(from: PruneCursor | null, call: Call): Promise<Pruned>;
}
