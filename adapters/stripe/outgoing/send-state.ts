import type { OutgoingChange, OutgoingPart } from '../../../core/billing/outgoing-stream.ts';
import type { Call } from '../../../core/call.ts';
import type { Entitlement } from '../../../core/entitlement/entitlement.ts';
import type { DeliveryOutcome } from '../../../core/webhook/send-delivery.ts';
import { askStripe, StripeTooSlow } from '../client/ask-stripe.ts';
import type { StripeClient } from '../client/create-stripe.ts';
import { hasEndedAtStripe } from '../reading/subscription-state.ts';
import { failureOf, type Failure } from './failure.ts';
import {
  changeOf,
  sendCancellation,
  sendCollection,
  sendEnd,
  type PartOutcome,
  type Sending,
  type SendParts,
} from './send-part.ts';

/**
 * Sends the parts of an entitlement, as it is now, to Stripe, each by itself: a refusal of one does not stop the
 * others. A cancellation that the buyer has made there after the resumption stays.
 */
export type SendState = (entitlementId: string, sending: Sending, call: Call) => Promise<DeliveryOutcome>;

/** In this order: what has ended is neither paused nor canceled. */
const order: readonly OutgoingPart[] = ['end', 'collection', 'cancellation'];

/** Throws faults of the store. */
export function sendState(parts: SendParts): SendState {
  return async (id, sending, call) => {
    const entitlement = await parts.find(id, call);
    const asked = order.filter((part) => sending.parts.includes(part));
    if (entitlement === null || asked.length === 0) return agreed(parts, call);
    const outcomes: DeliveryOutcome[] = [];
    for (const part of asked) {
      outcomes.push(
        await sendOne(
          parts,
          id,
          call,
          () => send[part](parts, entitlement, sending, call),
          changeOf(part, entitlement),
        ),
      );
    }
    // A part that has failed is tried again, and the others agree by then. The cancellation, whose effect counts, is
    // the last.
    return outcomes.find(({ kind }) => kind === 'failed') ?? (outcomes.at(-1) as DeliveryOutcome);
  };
}

const send: Readonly<
  Record<
    OutgoingPart,
    (parts: SendParts, entitlement: Entitlement, sending: Sending, call: Call) => Promise<PartOutcome>
  >
> = { end: sendEnd, collection: sendCollection, cancellation: sendCancellation };

/** There is nothing to send. */
function agreed({ report }: SendParts, call: Call): DeliveryOutcome {
  report({ kind: 'out', outcome: 'agreed' }, call.correlationId);
  return { kind: 'delivered', answer: 'agreed', status: null };
}

async function sendOne(
  parts: SendParts,
  id: string,
  call: Call,
  sendPart: () => Promise<PartOutcome>,
  change: OutgoingChange,
): Promise<DeliveryOutcome> {
  const { stripe, report, cases } = parts;
  try {
    const outcome = await sendPart();
    switch (outcome.kind) {
      case 'taken over':
        return { kind: 'failed', answer: 'taken over', status: null, retryAfter: null };
      case 'dropped':
        report({ kind: 'dropped', id }, call.correlationId);
        return { kind: 'delivered', answer: 'dropped', status: null };
      case 'sent':
      case 'agreed': {
        const { kind: answer, effect } = outcome;
        report({ kind: 'out', outcome: answer }, call.correlationId);
        return { kind: 'delivered', answer, status: null, effect };
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
    if (await hasEnded(stripe, id, call)) return agreed(parts, call);
    const { status, message } = failure;
    const refused = { id, kind: 'refused_by_stripe', since: call.now, detail: message, change, charge: null } as const;
    await cases.put(refused, call);
    report({ kind: 'out refused', id, status, message }, call.correlationId);
    return { kind: 'delivered', answer: 'refused', status };
  }
}

const tooSlow: Failure = { kind: 'transient', status: null, answer: 'timeout', retryAfter: null };

async function hasEnded(stripe: StripeClient, id: string, call: Call): Promise<boolean> {
  try {
    return hasEndedAtStripe(await askStripe(call, (options) => stripe.subscriptions.retrieve(id, {}, options)));
  } catch {
    return false;
  }
}
