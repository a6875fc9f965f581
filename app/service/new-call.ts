import { newCorrelationId } from '../../adapters/crypto/node-secrets.ts';
import { deadlineIn, type Call } from '../../core/call.ts';

/** Begins a call that waits for the store at most so many milliseconds. */
export function newCall(now: Date, milliseconds: number): Call {
  const deadline = deadlineIn(milliseconds, () => performance.now());
  return { now, deadline, correlationId: newCorrelationId() };
}
