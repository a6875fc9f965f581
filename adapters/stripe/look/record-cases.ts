import type { StripeCase, StripeCases } from '../../../core/billing/stripe-cases.port.ts';
import type { Call } from '../../../core/call.ts';
import { casesIn, isSettled, type KnownMore } from './find-cases.ts';
import type { Step } from './step.ts';

type Cases = Pick<StripeCases, 'find' | 'put' | 'remove'>;

/** A step, with the cases of its sale that were stored before it. */
export interface WatchedStep {
  readonly step: Step;
  readonly known: readonly StripeCase[];
}

/** Takes a step. The cases are read before, so that one that is stored meanwhile is not taken for settled. */
export async function watched(cases: Cases, id: string, take: () => Promise<Step>, call: Call): Promise<WatchedStep> {
  const known = await cases.find(id, call);
  const step = await take();
  // A session has become its subscription.
  return { step, known: step.subject.id === id ? known : await cases.find(step.subject.id, call) };
}

/**
 * Stores the cases that the last step of a look has found, with the others that are known, and removes those that it
 * has settled. Returns `added` if a case is new: another look may have settled it since the step has read Stripe, so
 * that Stripe must be read again.
 */
export async function recordCases(
  cases: Cases,
  { step, known }: WatchedStep,
  call: Call,
  more: KnownMore = {},
): Promise<'added' | 'known'> {
  const { id } = step.subject;
  const found = casesIn(step, more);
  for (const each of found) {
    const seen = known.find(({ kind }) => kind === each.kind);
    if (seen === undefined || !saysSame(seen, each)) await cases.put({ id, since: call.now, ...each }, call);
  }
  const settled = known.filter((seen) => !found.some(({ kind }) => kind === seen.kind) && isSettled(seen, step));
  const kinds = settled.map(({ kind }) => kind);
  if (kinds.length > 0) await cases.remove(id, kinds, call);
  return found.every((each) => known.some(({ kind }) => kind === each.kind)) ? 'known' : 'added';
}

function saysSame(a: Pick<StripeCase, 'detail' | 'change' | 'charge'>, b: typeof a): boolean {
  return (
    a.detail === b.detail &&
    a.change === b.change &&
    a.charge?.at.getTime() === b.charge?.at.getTime() &&
    a.charge?.amount === b.charge?.amount &&
    a.charge?.currency === b.charge?.currency
  );
}
