import type { StripeCase, StripeCases } from '../../../core/billing/stripe-cases.port.ts';
import type { Call, NewCall } from '../../../core/call.ts';
import { walk } from '../../../core/paging/walk.ts';
import { asUnavailable } from '../client/ask-stripe.ts';
import type { LookAt } from '../look/look.ts';
import { inspect, type Inspection, type InspectParts, type StripeDifference } from './inspect.ts';
import { allSubjects, changedSubjects } from './subjects.ts';

export interface ReconcileParts extends InspectParts {
  readonly cases: InspectParts['cases'] & Pick<StripeCases, 'page'>;
  readonly look: LookAt;
  /** Sends the change of an entitlement that has not reached Stripe. */
  readonly send: (entitlementId: string, call: Call) => Promise<void>;
}

export interface ReconcileOptions {
  /** Compares only the subjects of events since then; null for all. */
  readonly since: Date | null;
  readonly fix: boolean;
}

export interface Reconciliation {
  /** The number of subscriptions and purchases that were compared. */
  readonly compared: number;
  readonly fixed: number;
  /** Those that are left. */
  readonly differences: readonly StripeDifference[];
}

/**
 * Compares every sale with Stripe, and with `fix` removes the differences that can be removed. One that cannot be read is a
 * difference. Refuses with `stripe_unavailable` if the sales cannot be listed.
 */
export type Reconcile = (options: ReconcileOptions, newCall: NewCall) => Promise<Reconciliation>;

export function reconcile(parts: ReconcileParts): Reconcile {
  return async ({ since, fix }, newCall) => {
    const compared = new Set<string>();
    const differences: StripeDifference[] = [];
    let fixed = 0;
    try {
      const { stripe } = parts;
      const subjects = since === null ? allSubjects(stripe, newCall) : changedSubjects(stripe, since, newCall);
      const compareOne = async (subject: string): Promise<void> => {
        const found = await orUnread(subject, () => inspect(parts, subject, newCall()));
        if (compared.has(found.id)) return;
        compared.add(found.id);
        if (fix && found.isUnknown && !found.isPending) await parts.cases.remove(found.id, refused, newCall());
        // A pending change that changes nothing at Stripe is taken out: if it is parked, nothing else does that.
        if (found.kind === null && !(fix && found.isPending)) return;
        const left = fix ? await orUnread(found.id, () => fixDifference(parts, found, newCall)) : found;
        if (left.kind === null) fixed += found.kind === null ? 0 : 1;
        else differences.push({ id: left.id, kind: left.kind });
      };
      for await (const subject of subjects) await compareOne(subject);
      if (since === null) for await (const { id } of everyCase(parts, newCall)) await compareOne(id);
    } catch (error) {
      throw asUnavailable(error);
    }
    return { compared: compared.size, fixed, differences };
  };
}

/**
 * The case of a refusal. Nobody is charged for a sale that Stripe does not know, so a person who asks for a fix ends
 * it.
 */
const refused = ['refused_by_stripe'] as const;

/** The cases of sales that Stripe does not list, too, such as those of another account. */
function everyCase({ cases }: ReconcileParts, newCall: NewCall): AsyncIterable<StripeCase> {
  return walk<StripeCase>((after, limit, call) => cases.page(after, limit, call), newCall);
}

async function orUnread(id: string, read: () => Promise<Inspection>): Promise<Inspection> {
  try {
    return await read();
  } catch {
    return { id, kind: 'unread', isPending: false, isUnknown: false };
  }
}

/** Returns the rest of a difference. */
async function fixDifference(
  parts: ReconcileParts,
  { id, isPending }: Inspection,
  newCall: NewCall,
): Promise<Inspection> {
  if (isPending) await parts.send(id, newCall());
  const look = await parts.look(id, newCall());
  return look.kind === 'refused'
    ? { id, kind: look.reason, isPending: false, isUnknown: false }
    : inspect(parts, id, newCall());
}
