import { outgoingPart } from '../../../core/billing/outgoing-stream.ts';
import type { Call } from '../../../core/call.ts';
import { isOfEntitlement } from '../../../core/feed/logged-event.ts';
import type { DeliveryOutcome, SendDelivery } from '../../../core/webhook/send-delivery.ts';
import type { DeliveryEffect } from '../../../core/webhook/stream/delivery-effect.ts';
import { knownMarks } from '../decision/cancellation-mark.ts';
import type { Resumption } from '../decision/resumption.ts';
import type { ReadPending } from '../look/look.ts';
import { isCancellation } from './pending-change.ts';
import type { SendParts } from './send-part.ts';
import { sendState, type SendState } from './send-state.ts';

export interface SinkParts extends SendParts {
  readonly readPending: ReadPending;
  /** Begins a call that ends before a delivery must. */
  readonly newCall: (correlationId: string) => Call;
}

/** Delivers events to Stripe: those that ask for something at a subscription there and are not Stripe's own. */
export class StripeSink {
  readonly #parts: SinkParts;
  readonly #send: SendState;
  /** Entitlements that are looked at once their delivery is stored. */
  readonly #toLookAt = new Set<string>();

  constructor(parts: SinkParts) {
    this.#parts = parts;
    this.#send = sendState(parts);
  }

  readonly send: SendDelivery = async ({ message, effect, keepEffect = async () => true }) => {
    if (message.type === 'webhook.test' || !isOfEntitlement(message)) return notForStripe;
    const part = outgoingPart(message);
    if (part === null) return notForStripe;
    const { correlationId, id } = message;
    const entitlementId = message.entitlement.id;
    const call = this.#parts.newCall(correlationId ?? id);
    const isResumption = part === 'cancellation' && !isCancellation(message);
    const resumption = isResumption ? await this.#readResumption(entitlementId, effect, call) : null;
    const sending = { parts: [part], resumption, eventId: id, effect: effect ?? null, keepEffect };
    const outcome = await this.#send(entitlementId, sending, call);
    if (outcome.kind === 'delivered') this.#toLookAt.add(entitlementId);
    return outcome;
  };

  /** With the effect that this process knows of. Null if none is on its way any more: another process has sent it. */
  async #readResumption(
    entitlementId: string,
    effect: DeliveryEffect | undefined,
    call: Call,
  ): Promise<Resumption | null> {
    const entitlement = await this.#parts.find(entitlementId, call);
    const pending = entitlement === null ? null : await this.#parts.readPending(entitlement, call);
    if (pending === null || pending.kind === 'hold') return null;
    if (effect === undefined) return pending;
    const undoes = effect.at === null ? pending.undoes : [...pending.undoes, effect.at];
    return { ...pending, undoes, marks: knownMarks(effect, pending.marks.waiting) };
  }

  /** Returns whether an entitlement whose delivery is stored must be looked at, and forgets that. */
  takeLook(entitlementId: string): boolean {
    return this.#toLookAt.delete(entitlementId);
  }
}

const notForStripe: DeliveryOutcome = { kind: 'delivered', answer: 'not for Stripe', status: null };
