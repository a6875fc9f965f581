import type { Call } from '../../../core/call.ts';
import type { Entitlement } from '../../../core/entitlement/entitlement.ts';
import { Refusal } from '../../../core/refusal.ts';
import type { DeliveryStreams } from '../../../core/webhook/stream/delivery-streams.port.ts';
import { eventOf, knownMarks } from '../decision/cancellation-mark.ts';
import type { ReadEffect, SendLeft } from '../look/look.ts';
import { keepEffect } from './keep-seen.ts';
import type { SendState } from './send-state.ts';

interface Parts {
  readonly send: SendState;
  readonly find: (entitlementId: string, call: Call) => Promise<Entitlement | null>;
  readonly readEffect: ReadEffect;
  readonly deliveryStreams: DeliveryStreams;
}

/**
 * Sends the current state, again if the entitlement was changed meanwhile: the state before may have undone the change.
 * The cancellation that is undone counts as never seen until it is, so that another look undoes it if this process is
 * killed.
 */
export function sendLeft({ send, find, readEffect, deliveryStreams }: Parts): SendLeft {
  return async (entitlement, { parts, seen }, call) => {
    const { id } = entitlement;
    for (let sent: Entitlement | null = entitlement; sent !== null;) {
      const current: Entitlement = sent;
      const effect = await readEffect(current, call);
      const outcome = await send(
        id,
        {
          parts,
          resumption: { askedAt: call.now, undoes: [], marks: knownMarks(effect) },
          eventId: eventOf(seen.mark ?? '') || id,
          effect,
          keepEffect: async (each) => {
            if (each.kind === 'asked' || each.at === null) await keepEffect(deliveryStreams, current, each, call);
            return true;
          },
        },
        call,
      );
      if (outcome.kind !== 'delivered') throw new Refusal('stripe_unavailable', { cause: new Error(outcome.answer) });
      // Stripe keeps the cancellation: the next look takes it over.
      const isKept = outcome.answer === 'refused' && parts.includes('cancellation');
      const known = isKept ? seen : outcome.effect;
      if (known !== undefined) await keepEffect(deliveryStreams, current, known, call);
      const now: Entitlement | null = await find(id, call);
      sent = now?.revision === current.revision ? null : now;
    }
  };
}
