import type { Call } from '../../../core/call.ts';
import type { Entitlement } from '../../../core/entitlement/entitlement.ts';
import type { DeliveryOutcome, SendDelivery } from '../../../core/webhook/send-delivery.ts';
import { askStripe, StripeTooSlow } from '../client/ask-stripe.ts';
import type { StripeClient } from '../client/create-stripe.ts';
import type { ReportOnStripe } from '../look/report.ts';
import { hasEndedAtStripe } from '../reading/subscription-state.ts';
import { decideOutgoing } from './decide-outgoing.ts';
import { failureOf, type Failure } from './failure.ts';
import { isOurs } from './pending-change.ts';

export interface SinkParts {
  readonly stripe: StripeClient;
  readonly find: (entitlementId: string, call: Call) => Promise<Entitlement | null>;
  /** Begins a call that ends before a delivery must. */
  readonly newCall: (correlationId: string) => Call;
  readonly report: ReportOnStripe;
}

/** Brings the cancellation of an entitlement, as it is now, to Stripe. `askedAt` is when the change was made. */
export type SendCancellation = (entitlementId: string, askedAt: Date, call: Call) => Promise<DeliveryOutcome>;

/** Throws faults of the store. */
export function sendCancellation({ stripe, find, report }: Omit<SinkParts, 'newCall'>): SendCancellation {
  return async (id, askedAt, call) => {
    const finish = (outcome: 'sent' | 'agreed' | 'dropped'): DeliveryOutcome => {
      report({ kind: 'out', outcome }, call.correlationId);
      return { kind: 'delivered', answer: outcome, status: null };
    };
    const entitlement = await find(id, call);
    if (entitlement === null) return finish('agreed');
    try {
      const subscription = await askStripe(call, (options) => stripe.subscriptions.retrieve(id, {}, options));
      const decision = decideOutgoing(entitlement, subscription, askedAt);
      if (decision.kind !== 'send') return finish(decision.kind);
      // No idempotency key of ours: it would refuse another state, and repeat a failure for a day.
      await askStripe(call, (options) => stripe.subscriptions.update(id, { ...decision.update }, options));
      return finish('sent');
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

  readonly send: SendDelivery = async ({ message }) => {
    if (message.type === 'webhook.test' || !isForStripe(message.entitlement.id) || !isOurs(message))
      return notForStripe;
    const { entitlement, at, correlationId, id } = message;
    const outcome = await this.#send(entitlement.id, at, this.#parts.newCall(correlationId ?? id));
    if (outcome.kind === 'delivered') this.#toLookAt.add(entitlement.id);
    return outcome;
  };

  /** Returns whether an entitlement whose delivery is stored must be looked at, and forgets that. */
  takeLook(entitlementId: string): boolean {
    return this.#toLookAt.delete(entitlementId);
  }
}

const notForStripe: DeliveryOutcome = { kind: 'delivered', answer: 'not for Stripe', status: null };

/** Reports whether an entitlement is a subscription at Stripe. */
export function isForStripe(entitlementId: string): boolean {
  return entitlementId.startsWith('sub_');
}
