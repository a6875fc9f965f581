import type { OutgoingPart } from '../../../core/billing/outgoing-stream.ts';
import type { Call } from '../../../core/call.ts';
import type { Entitlement } from '../../../core/entitlement/entitlement.ts';
import type { DeliveryEffect, ReceiverEffect } from '../../../core/webhook/stream/delivery-effect.ts';
import type { LookRefusal, NothingReason, PendingChange } from '../decision/decision.ts';

/**
 * Looks at a subscription (`sub_…`) or a checkout session (`cs_…`): reads ours, reads Stripe, decides, and writes what
 * differs, again and again until nothing does. The change is durable once it resolves. The session of a subscription
 * becomes a look at the subscription. Refuses with `stripe_unavailable` if Stripe or the store
 * fails, and if others keep changing the entitlement until the deadline.
 */
export type LookAt = (id: string, call: Call) => Promise<Look>;

/** The final result of a look. */
export type Look =
  | {
      readonly kind: 'aligned';
      /** As the last step has read it. */
      readonly entitlement: Entitlement;
      /** The write of the look. A grant that was followed by other changes is a grant. */
      readonly outcome: 'granted' | 'changed' | 'unchanged';
    }
  | { readonly kind: 'nothing'; readonly reason: NothingReason }
  /** The reason why Stripe's state cannot be brought here. Logged and counted, and a difference in `reconcile`. */
  | { readonly kind: 'refused'; readonly reason: LookRefusal; readonly entitlementId: string };

/**
 * Reads the last change of an entitlement that is on its way to Stripe. Called after the entitlement
 * was read and before Stripe is: a change that it does not find any more is in what Stripe says.
 */
export type ReadPending = (entitlement: Entitlement, call: Call) => Promise<PendingChange | null>;

/** Reads the known effect of the changes of an entitlement that were sent to Stripe. Null if nothing is known. */
export type ReadEffect = (entitlement: Entitlement, call: Call) => Promise<DeliveryEffect | null>;

/** Our cancellation at Stripe, or its mark, as a look has seen it. */
export type SeenThere = Extract<ReceiverEffect, { readonly kind: 'seen' }>;

/**
 * Keeps the state that was seen at Stripe: a resumption that is asked for later undoes it, and no later cancellation
 * with that mark counts as Latchkey's. Keeps nothing if the entitlement has changed since it was read.
 */
export type KeepSeen = (entitlement: Entitlement, seen: SeenThere, call: Call) => Promise<void>;

/**
 * Sends the changes that end what Latchkey has left at Stripe, as a look has found it. A refusal by Stripe becomes a
 * case, and is no error. Refuses with `stripe_unavailable` if Stripe fails.
 */
export type SendLeft = (entitlement: Entitlement, left: LeftThere, call: Call) => Promise<void>;

export interface LeftThere {
  readonly parts: readonly OutgoingPart[];
  /** Our cancellation there, whose mark may be all that is left. */
  readonly seen: SeenThere;
}

/** Derives the license key of an entitlement from its id. Null for a random one. */
export type DeriveKey = (entitlementId: string, call: Call) => Promise<string | null>;
