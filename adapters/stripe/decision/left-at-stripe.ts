import type { OutgoingPart } from '../../../core/billing/outgoing-stream.ts';
import type { SubscriptionState } from '../reading/subscription-state.ts';
import { isPauseLeft } from './decide-access.ts';
import type { OwnState } from './decide-subscription.ts';

/**
 * Finds the parts in which something of ours is left at Stripe that nobody asks for here any more: a restored backup does not
 * know of it, or Stripe has carried it out after it was undone. Its mark says that it is ours. A part that is on its way is
 * left to its delivery.
 */
export function leftAtStripe({ subscription }: SubscriptionState, ours: OwnState): readonly OutgoingPart[] {
  const { entitlement, pending } = ours;
  if (entitlement === null || pending?.parts.includes('collection') === true) return [];
  return isPauseLeft(entitlement, subscription) ? ['collection'] : [];
}
