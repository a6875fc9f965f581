import type { Call } from '../../../core/call.ts';
import { decideAlignment } from '../../../core/entitlement/alignment.ts';
import { decideCommand } from '../../../core/entitlement/entitlement-command.ts';
import type { EntitlementDecision } from '../../../core/entitlement/entitlement-decision.ts';
import type { Entitlement } from '../../../core/entitlement/entitlement.ts';
import type { LookRefusal } from '../decision/decision.ts';
import { readAndDecide, type Step, type StepParts } from '../look/step.ts';

/** What sets an entitlement apart from what Stripe says of it. */
export interface StripeDifference {
  /** Of the subscription or session. */
  readonly id: string;
  /**
   * `missing`: has access at Stripe, or is suspended there, and is unknown here; `unmapped`: that, and no price is mapped;
   * `different`: a look would change it; `not_sent`: it would, if a cancellation or resumption were not on its way to Stripe;
   * `unread`: Stripe or the store failed; otherwise why a look is refused.
   */
  readonly kind: 'missing' | 'unmapped' | 'different' | 'not_sent' | 'unread' | LookRefusal;
}

/** What a sale was found to be. */
export interface Inspection {
  /** Of the subscription, also for its session, or of the session of a purchase. */
  readonly id: string;
  /** Null where both sides say the same. */
  readonly kind: StripeDifference['kind'] | null;
  /** Whether a cancellation or resumption is on its way to Stripe. */
  readonly isPending: boolean;
}

/** Looks at a subscription or session without changing anything. */
export async function inspect(parts: StepParts, id: string, call: Call): Promise<Inspection> {
  const step = await readAndDecide(parts, { id, sessionId: null }, call);
  const { subject } = step;
  if (step.pending === null) return { id: subject.id, kind: kindOf(step, call.now), isPending: false };
  // What is on its way may have arrived already: then it changes nothing any more.
  const sent = await readAndDecide({ ...parts, readPending: async () => null }, subject, call);
  const kind = kindOf(sent, call.now);
  return { id: subject.id, kind: kind === 'different' ? 'not_sent' : kind, isPending: true };
}

function kindOf({ decision, entitlement }: Step, now: Date): StripeDifference['kind'] | null {
  switch (decision.kind) {
    case 'nothing':
      return decision.reason === 'unmapped_price' ? 'unmapped' : null;
    case 'refused':
      return decision.reason;
    case 'grant':
      return 'missing';
    case 'agreed':
      return null;
    case 'align':
      return differenceOf(entitlement, (seen) => decideAlignment(decision.target, seen, now));
    case 'command':
      return differenceOf(entitlement, (seen) => decideCommand(decision.command, seen, now));
  }
}

function differenceOf(
  entitlement: Entitlement | null,
  decide: (seen: Entitlement) => EntitlementDecision,
): 'different' | null {
  return entitlement !== null && decide(entitlement).kind === 'changed' ? 'different' : null;
}
