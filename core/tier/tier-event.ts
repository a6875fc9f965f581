import type { Actor, Call } from '../call.ts';
import type { NewId } from '../identifier.ts';
import type { Tier, TierTerms } from './tier.ts';

/** One change of a tier. It belongs to a product and to no entitlement. */
export interface TierEvent {
  readonly id: string;
  readonly type: 'tier.changed';
  readonly at: Date;
  /** The revision of the tier. */
  readonly sequence: number;
  readonly by: Actor;
  readonly correlationId: string;
  readonly productId: string;
  readonly tierId: string;
  /** The tier's terms from then on; null once it is deleted. */
  readonly tier: TierTerms | null;
  /** The tier's terms before; null if it was not declared. */
  readonly previous: TierTerms | null;
}

/** Makes the event of a change that a call makes. */
export function tierEvent(seen: Tier | null, next: Tier, { now, by, correlationId }: Call, newId: NewId): TierEvent {
  return {
    id: newId(),
    type: 'tier.changed',
    at: now,
    sequence: next.revision,
    by,
    correlationId,
    productId: next.productId,
    tierId: next.id,
    tier: next.terms,
    previous: seen?.terms ?? null,
  };
}
