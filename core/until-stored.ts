import type { Call } from './call.ts';
import { Refusal, type RefusalCode } from './refusal.ts';

/**
 * The outcome of a write that replaces what was seen, and only that. A port may have other reasons to store nothing. If
 * the write throws instead, its outcome is unknown.
 */
export type ReplaceOutcome<Other = never> =
  | { readonly kind: 'replaced' }
  /** It has been written since it was seen, or removed. */
  | { readonly kind: 'stale' }
  | Other;

/**
 * Repeats a change that is decided by what is stored, as long as others change it in between: then `attempt` returns
 * `stale`. Refuses at the deadline of the call.
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
