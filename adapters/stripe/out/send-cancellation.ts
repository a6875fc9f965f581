import type { Call, Clock } from '../../../core/call.ts';
import type { Entitlement } from '../../../core/entitlement/entitlement.ts';
import type { DeliveryOutcome, SendDelivery } from '../../../core/webhook/send-delivery.ts';
import { askStripe, StripeTooSlow } from '../client/ask-stripe.ts';
import type { StripeClient } from '../client/create-stripe.ts';
import type { ReportOnStripe } from '../look/report.ts';
import { hasEndedAtStripe } from '../reading/subscription-state.ts';
import { decideOutgoing } from './decide-outgoing.ts';
import { failureOf, type Failure } from './failure.ts';
import { isCancellation, isOurs, mayHaveArrived, unknownEffect } from './pending-change.ts';

export interface SinkParts {
  readonly stripe: StripeClient;
  readonly find: (entitlementId: string, call: Call) => Promise<Entitlement | null>;
  /** Begins a call that ends before a delivery must. */
  readonly newCall: (correlationId: string) => Call;
  readonly clock: Clock;
  readonly report: ReportOnStripe;
}

/**
 * Brings the cancellation of an entitlement, as it is now, to Stripe. A cancellation that the buyer has made there after
 * `resumedAt` stays. Null for the event of a cancellation, which undoes nothing: if it was undone here since, that has an
 * event of its own.
 */
export type SendCancellation = (entitlementId: string, resumedAt: Date | null, call: Call) => Promise<DeliveryOutcome>;

/** Throws faults of the store. */
export function sendCancellation({
  stripe,
  find,
  report,
}: Pick<SinkParts, 'stripe' | 'find' | 'report'>): SendCancellation {
  return async (id, resumedAt, call) => {
    const finish = (outcome: 'sent' | 'agreed' | 'dropped'): DeliveryOutcome => {
      report({ kind: 'out', outcome }, call.correlationId);
      return { kind: 'delivered', answer: outcome, status: null };
    };
    const entitlement = await find(id, call);
    if (entitlement === null) return finish('agreed');
    let isAsked = false;
    try {
      const subscription = await askStripe(call, (options) => stripe.subscriptions.retrieve(id, {}, options));
      const decision = decideOutgoing(entitlement, subscription, resumedAt);
      if (decision.kind !== 'send') return finish(decision.kind);
      isAsked = true;
      // No idempotency key of ours: it would refuse another state, and repeat a failure for a day.
      await askStripe(call, (options) => stripe.subscriptions.update(id, { ...decision.update }, options));
      return finish('sent');
    } catch (error) {
      const failure = error instanceof StripeTooSlow ? tooSlow : failureOf(error);
      if (failure === null) throw error;
      if (failure.kind === 'transient') {
        report({ kind: 'out', outcome: 'failed' }, call.correlationId);
        return isAsked
          ? { ...failure, kind: 'failed', status: null, answer: `${unknownEffect}${failure.answer}` }
          : { ...failure, kind: 'failed' };
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

async function hasEnded(stripe: StripeClient, id: string, call: Call): Promise<boolean> {
  try {
    return hasEndedAtStripe(await askStripe(call, (options) => stripe.subscriptions.retrieve(id, {}, options)));
  } catch {
    return false;
  }
}

/** How many cancellations are remembered: those of the last minutes, in which they may be undone. */
const maxSent = 1000;

/** Delivers events to Stripe: those that are about the cancellation of a subscription and are not Stripe's own. */
export class CancellationSink {
  readonly #parts: SinkParts;
  readonly #send: SendCancellation;
  /** When cancellations of ours were sent: one that Stripe has had since then may be ours, and not the buyer's. */
  readonly #sentUntil = new Map<string, Date>();
  /** Entitlements that are looked at once their delivery is stored. */
  readonly #toLookAt = new Set<string>();

  constructor(parts: SinkParts) {
    this.#parts = parts;
    this.#send = sendCancellation(parts);
  }

  readonly send: SendDelivery = async ({ message }) => {
    if (message.type === 'webhook.test' || !isForStripe(message.entitlement.id) || !isOurs(message))
      return notForStripe;
    const { correlationId, id } = message;
    const entitlementId = message.entitlement.id;
    const call = this.#parts.newCall(correlationId ?? id);
    const sentUntil = this.#sentUntil.get(entitlementId) ?? message.at;
    const resumedAt = isCancellation(message) ? null : sentUntil > message.at ? sentUntil : message.at;
    const outcome = await this.#send(entitlementId, resumedAt, call);
    if (isCancellation(message)) {
      if (mayHaveArrived(outcome.answer)) this.#keepSent(entitlementId);
    } else if (outcome.kind === 'delivered') this.#sentUntil.delete(entitlementId);
    if (outcome.kind === 'delivered') this.#toLookAt.add(entitlementId);
    return outcome;
  };

  #keepSent(entitlementId: string): void {
    this.#sentUntil.delete(entitlementId);
    this.#sentUntil.set(entitlementId, this.#parts.clock());
    const [oldest] = this.#sentUntil.keys();
    if (this.#sentUntil.size > maxSent && oldest !== undefined) this.#sentUntil.delete(oldest);
  }

  /** Returns whether an entitlement whose delivery is stored must be looked at, and forgets that. */
  takeLook(entitlementId: string): boolean {
    return this.#toLookAt.delete(entitlementId);
  }
}

const notForStripe: DeliveryOutcome = { kind: 'delivered', answer: 'not for Stripe', status: null };

/** Reports whether an entitlement is a subscription at Stripe. */
function isForStripe(entitlementId: string): boolean {
  return entitlementId.startsWith('sub_');
}
