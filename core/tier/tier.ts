import { durationText } from '../parsing/duration.ts';
import { areSameFeatures, noFeatures, type Features } from './features.ts';

/** The terms of a tier. */
export interface TierTerms {
  /** The limit of devices; null without a limit. */
  readonly deviceLimit: number | null;
  readonly features: Features;
  /** Milliseconds for which a device without a license may try it; null for no trial. */
  readonly trial: number | null;
}

/** The terms of a tier as a form, a command or a store has them. */
export type GivenTerms = { readonly [Member in keyof TierTerms]?: TierTerms[Member] | null | undefined };

/** The terms that are given, with none of what is left out. Whatever reads terms calls this, so that none is dropped. */
export function termsOf({ deviceLimit, features, trial }: GivenTerms): TierTerms {
  return { deviceLimit: deviceLimit ?? null, features: features ?? noFeatures, trial: trial ?? null };
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

/** A tier that was not deleted. */
export interface DeclaredTier extends Tier {
  readonly terms: TierTerms;
}

export function isDeclared(tier: Tier | null): tier is DeclaredTier {
  return tier !== null && tier.terms !== null;
}

/** A tier as it is shown. */
export interface ShownTier extends ShownTerms {
  readonly id: string;
  readonly revision: number;
}

/** The terms of a tier as they are shown: durations are texts. */
export interface ShownTerms extends Omit<TierTerms, 'trial'> {
  readonly trial: string | null;
}

export function shownTerms({ trial, ...terms }: TierTerms): ShownTerms {
  return { ...terms, trial: trial === null ? null : durationText(trial) };
}

export function shownTier({ id, terms, revision }: DeclaredTier): ShownTier {
  return { id, ...shownTerms(terms), revision };
}

export function areSameTerms(a: TierTerms | null, b: TierTerms | null): boolean {
  if (a === null || b === null) return a === b;
  return a.deviceLimit === b.deviceLimit && a.trial === b.trial && areSameFeatures(a.features, b.features);
}
