import type { Call } from '../call.ts';
import type { ReplaceOutcome } from '../compare-and-set.ts';
import type { TierEvent } from './tier-event.ts';
import type { DeclaredTier, Tier } from './tier.ts';

/** The tiers that were declared, deleted ones included. */
export interface Tiers {
  /** Finds a tier of a product, also a deleted one. */
  find(productId: string, id: string, call: Call): Promise<Tier | null>;

  /** Lists at most `limit` declared tiers of a product after an id, or the first ones, by id in code-point order. */
  page(productId: string, after: string | null, limit: number, call: Call): Promise<readonly DeclaredTier[]>;

  /** Reads the declared tiers of every product. */
  all(call: Call): Promise<readonly DeclaredTier[]>;

  /**
   * Stores a tier with its event, in one atomic write or not at all, if the stored revision is one less than that of
   * `next`, or if `next` is the first and nothing is stored.
   */
  replace(next: Tier, event: TierEvent, call: Call): Promise<ReplaceOutcome>;
}
