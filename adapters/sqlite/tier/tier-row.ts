import type { Features } from '../../../core/tier/features.ts';
import { termsOf, type Tier } from '../../../core/tier/tier.ts';
import { table } from '../engine/table.ts';

/** A row of `tiers`. `features` is JSON; null once the tier is deleted. `trial` is in milliseconds. */
export interface TierRow {
  readonly product_id: string;
  readonly id: string;
  readonly device_limit: number | null;
  readonly features: string | null;
  readonly revision: number;
  readonly trial: number | null;
}

export const tiersTable = table<TierRow>('tiers', {
  product_id: true,
  id: true,
  device_limit: true,
  features: true,
  revision: true,
  trial: true,
});

export function toTierRow({ productId, id, terms, revision }: Tier): TierRow {
  return {
    product_id: productId,
    id,
    device_limit: terms?.deviceLimit ?? null,
    features: terms && JSON.stringify(terms.features),
    revision,
    trial: terms?.trial ?? null,
  };
}

export function fromTierRow({ product_id: productId, id, device_limit, features, trial, revision }: TierRow): Tier {
  const terms =
    features === null
      ? null
      : termsOf({ deviceLimit: device_limit, features: JSON.parse(features) as Features, trial });
  return { productId, id, terms, revision };
}
