import { areSameFeatures, type Features } from './features.ts';

/** The terms of a tier. */
export interface TierTerms {
  /** The limit of devices; null without a limit. */
  readonly deviceLimit: number | null;
  readonly features: Features;
}

/** A tier of a product that was declared. A deleted one stays without terms, so that its revision goes on. */
export interface Tier {
  readonly productId: string;
  readonly id: string;
  /** Null once the tier is deleted. */
  readonly terms: TierTerms | null;
  /** Counts the changes from 1. Public, and the sequence of the events. */
  readonly revision: number;
}

/** A tier that says what it allows. */
export interface DeclaredTier extends Tier {
  readonly terms: TierTerms;
}

export function isDeclared(tier: Tier | null): tier is DeclaredTier {
  return tier !== null && tier.terms !== null;
}

/** A tier as it is shown. */
export interface ShownTier extends TierTerms {
  readonly id: string;
  readonly revision: number;
}

export function shownTier({ id, terms, revision }: DeclaredTier): ShownTier {
  return { id, deviceLimit: terms.deviceLimit, features: terms.features, revision };
}

export function areSameTerms(a: TierTerms | null, b: TierTerms | null): boolean {
  if (a === null || b === null) return a === b;
  return a.deviceLimit === b.deviceLimit && areSameFeatures(a.features, b.features);
}
