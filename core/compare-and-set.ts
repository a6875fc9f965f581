import type { Call } from './call.ts';
import { Refusal, type RefusalCode } from './refusal.ts';

/**
 * The outcome of a compare-and-set: a write that takes effect only if the stored value is still the one that the caller
 * has seen. A port may add outcomes of its own. If the write throws instead, its outcome is unknown.
 */
export type ReplaceOutcome<Other = never> =
  | { readonly kind: 'replaced' }
  /** The value has been written or removed since it was seen. Nothing was stored. */
  | { readonly kind: 'stale' }
  | Other;

/**
 * Repeats `attempt`, which reads, decides and writes, for as long as it returns `stale` because another writer came
 * first. Refuses at the deadline of the call.
 */
export async function untilStored<Answer>(
  call: Call,
  attempt: () => Promise<Answer | 'stale'>,
  atDeadline: RefusalCode = 'changed_meanwhile',
): Promise<Answer> {
  while (call.deadline.remaining() > 0) {
    const answer = await attempt();
    if (answer !== 'stale') return answer;
  }
  throw new Refusal(atDeadline);
}
