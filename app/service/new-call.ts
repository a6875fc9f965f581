import { newCorrelationId } from '../../adapters/crypto/node-secrets.ts';
import { deadlineIn, type Actor, type Call } from '../../core/call.ts';

/** Begins a call that waits for the store at most so many milliseconds. */
export function newCall(now: Date, milliseconds: number, by: Actor): Call {
  const deadline = deadlineIn(milliseconds, () => performance.now());
  return { now, deadline, correlationId: newCorrelationId(), by };
}
