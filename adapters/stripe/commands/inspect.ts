import type { StripeCases } from '../../../core/billing/stripe-cases.port.ts';
import type { Call } from '../../../core/call.ts';
import { untilStored } from '../../../core/compare-and-set.ts';
import { decideAlignment } from '../../../core/entitlement/alignment.ts';
import { decideCommand } from '../../../core/entitlement/entitlement-command.ts';
import type { EntitlementDecision } from '../../../core/entitlement/entitlement-decision.ts';
import type { Entitlement } from '../../../core/entitlement/entitlement.ts';
import type { LookRefusal } from '../decision/decision.ts';
import { isCanceledHere, isPausedHere } from '../look/find-cases.ts';
import { recordCases, watched } from '../look/record-cases.ts';
import { decideSale } from '../look/sale-reading.ts';
import { readAndDecide, type Step, type StepParts } from '../look/step.ts';

/** The difference between an entitlement here and at Stripe. */
export interface StripeDifference {
  /** Of the subscription or session. */
  readonly id: string;
  /**
   * `missing`: has access at Stripe, or is suspended there, and is unknown here; `unmapped`: that, and no price is
   * mapped; `different`: a look would change it; `suspended_here`: an operator suspends access, and the buyer is
   * charged at Stripe; `commission`: the sale of an affiliate has other payments, or a payment to confirm;
   * `paused_here`: a pause of ours is left there; `several_products`: products of the sale are not granted; `not_sent`:
   * it would be one of these or `revoked_here`, if a change were not on its way to Stripe; `unread`: Stripe or the
   * store failed; otherwise why a look is refused.
   */
  readonly kind:
    | 'missing'
    | 'unmapped'
    | 'different'
    | 'suspended_here'
    | 'paused_here'
    | 'several_products'
    | 'commission'
    | 'not_sent'
    | 'unread'
    | LookRefusal;
}

/** The result of inspecting a sale. */
export interface Inspection {
  /** Of the subscription, also for its session, or of the session of a purchase. */
  readonly id: string;
  /** Null where both sides agree. */
  readonly kind: StripeDifference['kind'] | null;
  /** Whether a change is on its way to Stripe. */
  readonly isPending: boolean;
  /** Whether Stripe does not know it, or does not show it to this key. */
  readonly isUnknown: boolean;
}

export interface InspectParts extends StepParts {
  readonly cases: Pick<StripeCases, 'find' | 'put' | 'remove'>;
}

/** Looks at a subscription or session without changing anything but the cases that need a person. */
export async function inspect(parts: InspectParts, id: string, call: Call): Promise<Inspection> {
  const step = await untilStored(call, () => inspectOnce(parts, id, call));
  const { subject, decision } = step;
  const kind = kindOf(step, call.now);
  const isUnknown = decision.kind === 'nothing' && decision.reason === 'unknown';
  if (step.pending === null) return { id: subject.id, kind, isPending: false, isUnknown };
  // The change on its way may have arrived already: then it changes nothing any more.
  const sent = await readAndDecide({ ...parts, readPending: async () => null }, subject, call);
  const left = kindOf(sent, call.now);
  return {
    id: subject.id,
    kind: left !== null && whileUnsent.has(left) ? 'not_sent' : left,
    isPending: true,
    isUnknown,
  };
}

async function inspectOnce(parts: InspectParts, id: string, call: Call): Promise<Step | 'stale'> {
  const found = await watched(parts.cases, id, () => readAndDecide(parts, { id, session: null }, call), call);
  const { pending } = found.step;
  const kind = pending === null ? kindOf(found.step, call.now) : null;
  const isRefused = found.known.some((each) => each.kind === 'grant_refused');
  const more = { differs: kind !== null && withoutCase.has(kind) && !(kind === 'missing' && isRefused) };
  return (await recordCases(parts.cases, found, call, more)) === 'added' ? 'stale' : found.step;
}

/** The differences that have no kind of case of their own. */
const withoutCase: ReadonlySet<StripeDifference['kind']> = new Set(['missing', 'different']);

/** The differences that a change on its way will settle. */
const whileUnsent: ReadonlySet<StripeDifference['kind']> = new Set([
  'different',
  'suspended_here',
  'paused_here',
  'revoked_here',
]);

function kindOf(step: Step, now: Date): StripeDifference['kind'] | null {
  const decided = decidedKind(step, now);
  if (decided !== null) return decided;
  if (step.isChargedWhileSuspended) return 'suspended_here';
  if (isPausedHere(step)) return 'paused_here';
  if (isCanceledHere(step)) return 'different';
  if (step.forPerson.length > 0) return 'several_products';
  return step.sale !== null && decideSale(step.sale, now) !== step.sale.seen ? 'commission' : null;
}

function decidedKind({ decision, entitlement }: Step, now: Date): StripeDifference['kind'] | null {
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
