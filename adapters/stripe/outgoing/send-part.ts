import type { Stripe } from 'stripe';
import type { OutgoingChange, OutgoingPart } from '../../../core/billing/outgoing-stream.ts';
import type { IsSoldByStripe } from '../../../core/billing/sold-by-stripe.ts';
import type { StripeCases } from '../../../core/billing/stripe-cases.port.ts';
import type { Call } from '../../../core/call.ts';
import type { Entitlement } from '../../../core/entitlement/entitlement.ts';
import { causesOf } from '../../../core/entitlement/suspension.ts';
import type { DeliveryEffect, ReceiverEffect } from '../../../core/webhook/stream/delivery-effect.ts';
import { askStripe } from '../client/ask-stripe.ts';
import type { StripeClient } from '../client/create-stripe.ts';
import { cancellationMark, markOf, nextMark } from '../decision/cancellation-mark.ts';
import { decideCollection, isToEnd } from '../decision/decide-access.ts';
import type { Resumption } from '../decision/resumption.ts';
import type { ReportOnStripe } from '../look/report.ts';
import { decideOutgoing, type CancellationFacts } from './decide-outgoing.ts';

export interface SendParts {
  readonly stripe: StripeClient;
  readonly find: (entitlementId: string, call: Call) => Promise<Entitlement | null>;
  /** Before a price is mapped, Stripe sells nothing here that may be ended or paused. */
  readonly isSold: IsSoldByStripe;
  readonly report: ReportOnStripe;
  /** Records the changes that Stripe refuses. */
  readonly cases: Pick<StripeCases, 'put'>;
}

/** A change to be sent. */
export interface Sending {
  /** The parts that were asked for. Revocations and suspensions from before Latchkey sent any leave Stripe as it is. */
  readonly parts: readonly OutgoingPart[];
  /** Null for a cancellation, which undoes nothing. If it was undone here since, that has an event of its own. */
  readonly resumption: Resumption | null;
  /** The event that the attempt is named after. */
  readonly eventId: string;
  /** The known effect of earlier attempts. */
  readonly effect: DeliveryEffect | null;
  /**
   * Keeps the effect that a request may have at Stripe, before it is sent. Resolves with whether it may still be sent.
   */
  readonly keepEffect: (effect: ReceiverEffect) => Promise<boolean>;
}

/** The outcome of a part. */
export type PartOutcome =
  | { readonly kind: 'sent' | 'agreed'; readonly effect?: ReceiverEffect | undefined }
  /** The buyer has canceled at Stripe after the resumption. */
  | { readonly kind: 'dropped' }
  /** Another process has written the stream, and sends it. */
  | { readonly kind: 'taken over' };

/** The change that the part of an entitlement asks of Stripe now. */
export function changeOf(part: OutgoingPart, entitlement: Entitlement): OutgoingChange {
  switch (part) {
    case 'end':
      return 'revocation';
    case 'collection':
      return causesOf(entitlement.hold).includes('operator') ? 'suspension' : 'reinstatement';
    case 'cancellation':
      return entitlement.kind === 'subscription' && entitlement.cancellation !== null ? 'cancellation' : 'resumption';
  }
}

/*
 * Each part reads Stripe and sends what differs. They throw the errors of Stripe's library, and have no idempotency key of
 * ours: it would refuse another state, and repeat a failure for a day.
 */

/** Ends a revoked subscription at once, without a last invoice: after a revocation no charge is ever right. */
export async function sendEnd(
  { stripe, isSold }: SendParts,
  entitlement: Entitlement,
  _sending: Sending,
  call: Call,
): Promise<PartOutcome> {
  const { id } = entitlement;
  if (!(await isSold(id, call))) return { kind: 'agreed' };
  const subscription = await askStripe(call, (options) => stripe.subscriptions.retrieve(id, {}, options));
  if (!isToEnd(entitlement, subscription)) return { kind: 'agreed' };
  await askStripe(call, (options) => stripe.subscriptions.cancel(id, { invoice_now: false, prorate: false }, options));
  return { kind: 'sent' };
}

/** Pauses the collection of payments while an operator suspends access, and ends that pause: its mark says that it is ours. */
export async function sendCollection(
  { stripe, isSold }: SendParts,
  entitlement: Entitlement,
  _sending: Sending,
  call: Call,
): Promise<PartOutcome> {
  const { id } = entitlement;
  if (changeOf('collection', entitlement) === 'suspension' && !(await isSold(id, call))) return { kind: 'agreed' };
  const subscription = await askStripe(call, (options) => stripe.subscriptions.retrieve(id, {}, options));
  const update = decideCollection(entitlement, subscription);
  if (update === null) return { kind: 'agreed' };
  await askStripe(call, (options) => stripe.subscriptions.update(id, { ...update }, options));
  return { kind: 'sent' };
}

/** Cancels or resumes. */
export async function sendCancellation(
  parts: SendParts,
  entitlement: Entitlement,
  sending: Sending,
  call: Call,
): Promise<PartOutcome> {
  const { stripe } = parts;
  const { id } = entitlement;
  const subscription = await askStripe(call, (options) => stripe.subscriptions.retrieve(id, {}, options));
  const decision = decideOutgoing(entitlement, subscription, sending.resumption);
  switch (decision.kind) {
    case 'agreed':
      return { kind: 'agreed', effect: await agreedEffect(parts, entitlement, subscription, call) };
    case 'dropped':
      return decision;
    case 'cancel':
      return cancel(parts, subscription, sending, call);
    case 'undo': {
      // The cancellation stays known until it is undone.
      if (!(await sending.keepEffect(seenAt(subscription)))) return { kind: 'taken over' };
      const { update } = decision;
      await askStripe(call, (options) => stripe.subscriptions.update(id, { ...update }, options));
      return { kind: 'sent' };
    }
  }
}

/**
 * Each attempt has a mark of its own, which is stored first. Stripe's library repeats it with one idempotency key, so
 * that it is carried out once.
 */
async function cancel(
  { stripe }: SendParts,
  { id, metadata }: Pick<Stripe.Subscription, 'id' | 'metadata'>,
  { eventId, effect, keepEffect }: Sending,
  call: Call,
): Promise<PartOutcome> {
  const mark = nextMark(eventId, [markOf({ metadata }), effect?.mark ?? null, ...(effect?.unseen ?? [])]);
  if (!(await keepEffect({ kind: 'asked', mark }))) return { kind: 'taken over' };
  const update = { cancel_at_period_end: true, metadata: { [cancellationMark]: mark } };
  const updated = await askStripe(call, (options) => stripe.subscriptions.update(id, update, options));
  return { kind: 'sent', effect: seenAt(updated) };
}

/** The cancellation of a subscription, and the mark of ours that it has, as they are seen. */
function seenAt(subscription: Pick<Stripe.Subscription, 'canceled_at' | 'metadata'>): ReceiverEffect {
  const { canceled_at: at } = subscription;
  return { kind: 'seen', at: at === null ? null : new Date(at * 1000), mark: markOf(subscription) };
}

/** The cancellation at Stripe, if the entitlement has not changed since: then both sides were canceled at one time. */
async function agreedEffect(
  { find }: Pick<SendParts, 'find'>,
  entitlement: Entitlement,
  subscription: CancellationFacts,
  call: Call,
): Promise<ReceiverEffect | undefined> {
  if (entitlement.kind === 'one_time' || entitlement.cancellation === null) return undefined;
  const stored = await find(entitlement.id, call);
  return stored?.revision === entitlement.revision ? seenAt(subscription) : undefined;
}
