import type { Call } from '../call.ts';
import type { ReplaceOutcome } from '../compare-and-set.ts';
import type { Affiliate } from './affiliate.ts';

/** The affiliates. No two have a handle, and no two an address (`addressOf`). */
export interface Affiliates {
  find(handle: string, call: Call): Promise<Affiliate | null>;

  /** Finds the affiliate of an address, in any spelling. */
  findByAddress(email: string, call: Call): Promise<Affiliate | null>;

  /** Lists at most `limit` affiliates after a handle, or the first ones, by handle in code-point order. */
  page(after: string | null, limit: number, call: Call): Promise<readonly Affiliate[]>;

  /**
   * Stores an affiliate if the stored one still has the revision that was seen, or if none was seen and none is stored, and
   * if no other has the address. `next` has the next revision.
   */
  replace(seen: Affiliate | null, next: Affiliate, call: Call): Promise<ReplaceOutcome>;
}
