import type { Call } from './call.ts';
import { Refusal } from './refusal.ts';

/**
 * Repeats a change that is decided by what is stored, as long as others change it in between: then `attempt` returns
 * null. Refuses with `changed_meanwhile` at the deadline of the call.
 */
export async function untilStored<Outcome extends object>(
  call: Call,
  attempt: () => Promise<Outcome | null>,
): Promise<Outcome> {
  while (call.deadline.remaining() > 0) {
    const outcome = await attempt();
    if (outcome !== null) return outcome;
  }
  throw new Refusal('changed_meanwhile');
}
