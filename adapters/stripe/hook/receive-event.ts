import type { Call } from '../../../core/call.ts';
import { asUnavailable } from '../client/ask-stripe.ts';
import type { StripeClient } from '../client/create-stripe.ts';
import type { LookAt } from '../look/look.ts';
import type { ReportOnStripe } from '../look/report.ts';
import { subjectsOf } from './event-subjects.ts';
import { verifyEvent } from './verify-event.ts';

export interface HookParts {
  readonly stripe: StripeClient;
  /** The signing secrets; two while the secret is rolled. */
  readonly secrets: readonly string[];
  readonly look: LookAt;
  readonly report: ReportOnStripe;
}

/**
 * Receives an event: looks at its subjects, and resolves once every change that follows is durable. The state in the
 * event is not used. A signed message that is no event is only reported, as Stripe would just send it again. Refuses
 * with `invalid_signature`, before Stripe is asked anything, and with `stripe_unavailable` for every other failure, so
 * that Stripe sends it again.
 */
export type ReceiveEvent = (content: Uint8Array, signature: string, call: Call) => Promise<void>;

export function receiveEvent({ stripe, secrets, look, report }: HookParts): ReceiveEvent {
  return async (content, signature, call) => {
    const event = verifyOrReport();
    if (event === null) return report({ kind: 'unknown message' }, call.correlationId);
    const { id, type } = event;
    const ofEvent: Call = { ...call, correlationId: id, by: 'stripe', products: null };
    try {
      const subjects = await subjectsOf(stripe, event, ofEvent);
      for (const subject of subjects) await look(subject, ofEvent);
      report({ kind: 'event', type, outcome: subjects.length > 0 ? 'looked' : 'ignored' }, id);
    } catch (error) {
      report({ kind: 'event', type, outcome: 'failed' }, id);
      throw asUnavailable(error);
    }

    function verifyOrReport(): ReturnType<typeof verifyEvent> {
      try {
        return verifyEvent(stripe, content, signature, secrets);
      } catch (error) {
        report({ kind: 'event', type: null, outcome: 'invalid_signature' }, call.correlationId);
        throw error;
      }
    }
  };
}
