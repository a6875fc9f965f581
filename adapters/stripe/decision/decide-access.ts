import type { Stripe } from 'stripe';
import type { Entitlement } from '../../../core/entitlement/entitlement.ts';
import { causesOf } from '../../../core/entitlement/suspension.ts';
import { hasEndedAtStripe } from '../reading/subscription-state.ts';

/** The facts of a subscription at Stripe that decide whether its payments are collected. */
export type CollectionFacts = Pick<Stripe.Subscription, 'status' | 'metadata'> & {
  readonly pause_collection: object | null;
};

/** The member of the metadata at Stripe that marks a pause of ours. Any other pause is the seller's own. */
const mark = 'latchkey_paused';

/** The update that pauses the collection of payments. Invoices that fall due meanwhile are voided. */
const pause = { pause_collection: { behavior: 'void' }, metadata: { [mark]: 'true' } } as const;

const forget = { metadata: { [mark]: '' } } as const;

/** The update that ends a pause of ours. */
const goOn = { pause_collection: '', ...forget } as const;

export type CollectionUpdate = typeof pause | typeof goOn | typeof forget;

/** Reports whether a subscription that is revoked here still has to end at Stripe. */
export function isToEnd({ hold }: Entitlement, at: Pick<Stripe.Subscription, 'status'>): boolean {
  return hold.kind === 'revoked' && !hasEndedAtStripe(at);
}

/** Reports whether a pause of ours, or its mark, is left at Stripe although no operator suspends access. */
export function isPauseLeft(entitlement: Entitlement, at: CollectionFacts): boolean {
  return !causesOf(entitlement.hold).includes('operator') && decideCollection(entitlement, at) !== null;
}

/**
 * Decides the update that makes Stripe collect nothing while an operator suspends access, by the current state. Null if
 * both sides agree. A pause without the mark stays, because the seller has made it.
 */
export function decideCollection({ hold }: Entitlement, at: CollectionFacts): CollectionUpdate | null {
  if (hold.kind === 'revoked' || hasEndedAtStripe(at)) return null;
  const isPaused = at.pause_collection !== null;
  if (causesOf(hold).includes('operator')) return isPaused ? null : pause;
  if (at.metadata[mark] !== 'true') return null;
  // Somebody has ended the pause at Stripe: a later one is not ours.
  return isPaused ? goOn : forget;
}
