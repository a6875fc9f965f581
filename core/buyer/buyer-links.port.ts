import type { Call } from '../call.ts';
import type { BuyerLink } from './buyer-link.ts';

/** Links that are removed by one call of `prune`. */
export const prunedLinks = 500;

/** The links of buyers and affiliates. Copies and backups of a store leave them out. */
export interface BuyerLinks {
  /**
   * Adds a link, and removes the oldest of more than `maxLinks` of its subject. Those of lost keys are counted apart, so
   * that strangers who ask for them end no others.
   */
  add(link: BuyerLink, call: Call): Promise<void>;

  /** Finds a link, ended or not, as it is stored now: a link removed before the call is not found. */
  find(digest: string, call: Call): Promise<BuyerLink | null>;

  /** Removes every link of a subject. Once this resolves, no process finds one. Returns their number. */
  removeAll(subject: string, call: Call): Promise<number>;

  /** Removes at most `prunedLinks` of the links that ended at this instant or before, and returns their number. */
  prune(end: Date, call: Call): Promise<number>;
}
