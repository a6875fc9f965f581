import type { Call } from '../call.ts';

/** What a check found out about one aspect of the store. */
export interface Finding {
  readonly check: 'schema' | 'integrity' | 'write';
  readonly ok: boolean;
  /** For the administrator: never a key, a license or an address. */
  readonly message: string;
}

export type BackupOutcome =
  | { readonly kind: 'copied'; readonly bytes: number }
  | { readonly kind: 'file exists' }
  /** The folder is missing or full, or may not be written. */
  | { readonly kind: 'not writable' }
  /** The store is not kept in a file of its own. */
  | { readonly kind: 'no file' };

/** A place in the walk over all records. Only the store that gave it can read it. */
export type PruneCursor = string;

export interface Pruned {
  readonly removed: number;
  /** Where the next slice begins; null where there is none. */
  readonly next: PruneCursor | null;
}

/** Work on a store as a whole, for the administrator's commands only. Requests go on meanwhile. */
export interface Maintenance {
  /** Looks at the schema and at everything that is stored, then writes and takes that back. A fault of the store is a finding. */
  check(call: Call): Promise<readonly Finding[]>;

  /** Copies all that was stored at one instant during the call to a new file, which appears when it is complete. */
  backup(path: string, call: Call): Promise<BackupOutcome>;

  /** Removes the expired idempotency records of one slice, from the first where there is no cursor: short, whatever the store holds. */
  prune(from: PruneCursor | null, call: Call): Promise<Pruned>;
}
