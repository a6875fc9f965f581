import type { Call } from '../../../core/call.ts';
import type { Entitlement } from '../../../core/entitlement/entitlement.ts';
import { Refusal } from '../../../core/refusal.ts';
import type { SendLeft } from '../look/look.ts';
import type { SendState } from './send-state.ts';

interface Parts {
  readonly send: SendState;
  readonly find: (entitlementId: string, call: Call) => Promise<Entitlement | null>;
}

/** Sends the state of now, again if the entitlement was changed meanwhile: what it was then may have undone the change. */
export function sendLeft({ send, find }: Parts): SendLeft {
  return async (entitlement, parts, call) => {
    const { id } = entitlement;
    for (let sent: Entitlement | null = entitlement; sent !== null;) {
      const { revision }: Entitlement = sent;
      const outcome = await send(id, { parts, resumption: null, keepEffect: async () => true }, call);
      if (outcome.kind !== 'delivered') throw new Refusal('stripe_unavailable', { cause: new Error(outcome.answer) });
      const now: Entitlement | null = await find(id, call);
      sent = now?.revision === revision ? null : now;
    }
  };
}
