import { newCorrelationId } from '../../adapters/crypto/node-secrets.ts';
import type { Call } from '../../core/call.ts';

/** A call that begins now and waits for the store at most so many milliseconds. */
export function newCall(now: Date, milliseconds: number): Call {
  const end = performance.now() + milliseconds;
  return { now, deadline: { remaining: () => end - performance.now() }, correlationId: newCorrelationId() };
}
