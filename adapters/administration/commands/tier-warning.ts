import type { UnknownTier } from '../../../core/tier/allowance.ts';
import { described, listOf, named } from '../declaration/schema-parts.ts';

/** The warnings of an answer about a tier that no app may know; nothing else has a warning. */
export function warningsView({ isUnknownTier }: UnknownTier): { readonly warnings?: readonly object[] } {
  return isUnknownTier === true ? { warnings: [{ code: 'tier_not_declared', message: unknownTierText() }] } : {};
}

/** The same for people. */
export function warningNote({ isUnknownTier }: UnknownTier): { readonly note?: string } {
  return isUnknownTier === true ? { note: `Warning: ${unknownTierText()}` } : {};
}

/** The words of it, with the ids where they are known. */
export function unknownTierText(product = 'The product', tier = 'this one'): string {
  return `${product} has declared tiers, but not ${tier}: check its id, or declare it with tier put.`;
}

/** The member of such an answer, absent without a warning. */
export const warnings = described(
  'That the product has declared tiers, but not this one. Absent otherwise.',
  listOf(named('Warning')),
);
