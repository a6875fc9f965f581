import type { Administration } from '../core/administration/administration.ts';
import type { Call } from '../core/call.ts';
import { deviceLimitRule } from '../core/entitlement/written-grant.ts';
import { identifierRule } from '../core/identifier.ts';
import type { MemberRules } from '../core/parsing/read-members.ts';
import { featuresRule, type Features } from '../core/tier/features.ts';
import { shownTier, termsOf, type ShownTier } from '../core/tier/tier.ts';
import { trialLengthRule } from '../core/trial/trial.ts';
import { givenIn, readOptions, suitable } from './grant.ts';
import type { TierOptions } from './latchkey.ts';
import { knownOptions } from './options/known-options.ts';

interface WrittenTier {
  readonly productId: string;
  readonly id: string;
  readonly deviceLimit?: number;
  readonly features?: Features;
  readonly trial?: number;
}

const rules: MemberRules<WrittenTier> = {
  productId: identifierRule,
  id: identifierRule,
  deviceLimit: deviceLimitRule,
  features: featuresRule,
  trial: trialLengthRule,
};

/** Reads the allowance of a tier. Throws `TypeError` for one that no tier can have, naming every mistake. */
export function readTier(options: TierOptions): WrittenTier {
  return readOptions<WrittenTier>(rules, ['productId', 'id'], {
    id: suitable.tierId,
    ...givenIn(knownOptions('putTier', rules, options)),
  });
}

/** Declares a tier of a product that exists, as the administration does. */
export async function declareTier(
  { putTier }: Pick<Administration, 'putTier'>,
  { productId, id, ...terms }: WrittenTier,
  call: Call,
): Promise<ShownTier> {
  return shownTier((await putTier({ productId, id }, termsOf(terms), call)).tier);
}
