import { isForBilling } from '../../../core/billing/outgoing-stream.ts';
import type { Call } from '../../../core/call.ts';
import type { Entitlement } from '../../../core/entitlement/entitlement.ts';
import type { DeliveryOutcome, SendDelivery } from '../../../core/webhook/send-delivery.ts';
import type { ReceiverTime } from '../../../core/webhook/stream/delivery-effect.ts';
import { askStripe, StripeTooSlow } from '../client/ask-stripe.ts';
import type { StripeClient } from '../client/create-stripe.ts';
import type { Resumption } from '../decision/resumption.ts';
import type { ReadPending } from '../look/look.ts';
import type { ReportOnStripe } from '../look/report.ts';
import { hasEndedAtStripe } from '../reading/subscription-state.ts';
import { decideOutgoing, type CancellationFacts } from './decide-outgoing.ts';
import { failureOf, type Failure } from './failure.ts';
import { isCancellation } from './pending-change.ts';
import { effectAt, timeAfter } from './stripe-time.ts';

export interface SinkParts {
  readonly stripe: StripeClient;
  readonly find: (entitlementId: string, call: Call) => Promise<Entitlement | null>;
  readonly readPending: ReadPending;
  /** Begins a call that ends before a delivery must. */
  readonly newCall: (correlationId: string) => Call;
  readonly report: ReportOnStripe;
}

/** What is sent: a cancellation undoes nothing. If it was undone here since, that has an event of its own. */
export interface Sending {
  /** Null for a cancellation. */
  readonly resumption: Resumption | null;
  /** Keeps when Stripe carries it out, before it is asked to. Resolves with whether it may still be sent. */
  readonly keepEffect: (effect: ReceiverTime) => Promise<boolean>;
}

/**
 * Brings the cancellation of an entitlement, as it is now, to Stripe. A cancellation that the buyer has made there after
 * the resumption stays.
 */
export type SendCancellation = (entitlementId: string, sending: Sending, call: Call) => Promise<DeliveryOutcome>;

/** Throws faults of the store. */
export function sendCancellation(parts: Pick<SinkParts, 'stripe' | 'find' | 'report'>): SendCancellation {
  const { stripe, find, report } = parts;
  return async (id, { resumption, keepEffect }, call) => {
    const finish = (outcome: 'sent' | 'agreed', effect?: ReceiverTime): DeliveryOutcome => {
      report({ kind: 'out', outcome }, call.correlationId);
      return { kind: 'delivered', answer: outcome, status: null, effect };
    };
    const entitlement = await find(id, call);
    if (entitlement === null) return finish('agreed');
    try {
      const subscription = await askStripe(call, (options) => stripe.subscriptions.retrieve(id, {}, options));
      const decision = decideOutgoing(entitlement, subscription, resumption);
      switch (decision.kind) {
        case 'agreed':
          return finish('agreed', await agreedEffect(parts, entitlement, subscription, call));
        case 'dropped':
          report({ kind: 'dropped', id }, call.correlationId);
          return { kind: 'delivered', answer: 'dropped', status: null };
        case 'send': {
          const time = timeAfter(subscription);
          if (time !== null && !(await keepEffect(time))) return takenOver;
          // No idempotency key of ours: it would refuse another state, and repeat a failure for a day.
          const updated = await askStripe(call, (options) =>
            stripe.subscriptions.update(id, { ...decision.update }, options),
          );
          return finish('sent', effectAt(updated.canceled_at));
        }
      }
    } catch (error) {
      const failure = error instanceof StripeTooSlow ? tooSlow : failureOf(error);
      if (failure === null) throw error;
      if (failure.kind === 'transient') {
        report({ kind: 'out', outcome: 'failed' }, call.correlationId);
        return { ...failure, kind: 'failed' };
      }
      // It may have ended between the two requests.
      if (await hasEnded(stripe, id, call)) return finish('agreed');
      const { status, message } = failure;
      report({ kind: 'out refused', id, status, message }, call.correlationId);
      return { kind: 'delivered', answer: 'refused', status };
    }
  };
}

const tooSlow: Failure = { kind: 'transient', status: null, answer: 'timeout', retryAfter: null };

/** Another process has written the stream, and sends the change. */
const takenOver: DeliveryOutcome = { kind: 'failed', answer: 'taken over', status: null, retryAfter: null };

/** When Stripe was canceled, if that was before any later resumption here: both sides were canceled at one time. */
async function agreedEffect(
  { find }: Pick<SinkParts, 'find'>,
  entitlement: Entitlement,
  subscription: CancellationFacts,
  call: Call,
): Promise<ReceiverTime | undefined> {
  if (entitlement.kind === 'one_time' || entitlement.cancellation === null) return undefined;
  const stored = await find(entitlement.id, call);
  return stored?.revision === entitlement.revision ? effectAt(subscription.canceled_at) : undefined;
}

async function hasEnded(stripe: StripeClient, id: string, call: Call): Promise<boolean> {
  try {
    return hasEndedAtStripe(await askStripe(call, (options) => stripe.subscriptions.retrieve(id, {}, options)));
  } catch {
    return false;
  }
}

/** Delivers events to Stripe: those that are about the cancellation of a subscription and are not Stripe's own. */
export class CancellationSink {
  readonly #parts: SinkParts;
  readonly #send: SendCancellation;
  /** Entitlements that are looked at once their delivery is stored. */
  readonly #toLookAt = new Set<string>();

  constructor(parts: SinkParts) {
    this.#parts = parts;
    this.#send = sendCancellation(parts);
  }

  readonly send: SendDelivery = async ({ message, effect, keepEffect = async () => true }) => {
    if (message.type === 'webhook.test' || !isForBilling(message)) return notForStripe;
    const { correlationId, id } = message;
    const entitlementId = message.entitlement.id;
    const call = this.#parts.newCall(correlationId ?? id);
    const resumption = isCancellation(message) ? null : await this.#readResumption(entitlementId, effect, call);
    const outcome = await this.#send(entitlementId, { resumption, keepEffect }, call);
    if (outcome.kind === 'delivered') this.#toLookAt.add(entitlementId);
    return outcome;
  };

  /** With the effect that this process knows of. Null if none is on its way any more: another process has sent it. */
  async #readResumption(
    entitlementId: string,
    effect: ReceiverTime | undefined,
    call: Call,
  ): Promise<Resumption | null> {
    const entitlement = await this.#parts.find(entitlementId, call);
    const pending = entitlement === null ? null : await this.#parts.readPending(entitlement, call);
    if (pending === null || effect === undefined) return pending;
    return { ...pending, undoes: [...pending.undoes, effect] };
  }

  /** Returns whether an entitlement whose delivery is stored must be looked at, and forgets that. */
  takeLook(entitlementId: string): boolean {
    return this.#toLookAt.delete(entitlementId);
  }
}

const notForStripe: DeliveryOutcome = { kind: 'delivered', answer: 'not for Stripe', status: null };
