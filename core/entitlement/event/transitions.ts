import type { Call } from '../../call.ts';
import type { Entitlement } from '../entitlement.ts';
import { statusAt } from '../status.ts';

/** The first instant after another at which the clock changes the status, by the rules of `statusAt`. */
export function nextTransition(entitlement: Entitlement, after: Date): Date | null {
  const status = statusAt(entitlement, after);
  const next = boundaries(entitlement).find((instant) => instant > after && statusAt(entitlement, instant) !== status);
  return next ?? null;
}

/**
 * The instant of a decision: `now`, but never before a change by the clock that has an event. A process whose clock is
 * slow would otherwise resume a subscription after another process has recorded its end.
 */
export function decisionInstant(entitlement: Entitlement, now: Date): Date {
  const { nextEventAt } = entitlement;
  const recorded = boundaries(entitlement).findLast(
    (instant) => instant > now && (nextEventAt === null || instant < nextEventAt) && isTransition(entitlement, instant),
  );
  return recorded ?? now;
}

/** The call with the instant of its decision on an entitlement. */
export function decisionCall(entitlement: Entitlement, call: Call): Call {
  const now = decisionInstant(entitlement, call.now);
  return now === call.now ? call : { ...call, now };
}

/** The instant just before another: instants are whole milliseconds. */
export function justBefore(instant: Date): Date {
  return new Date(instant.getTime() - 1);
}

function isTransition(entitlement: Entitlement, instant: Date): boolean {
  return statusAt(entitlement, instant) !== statusAt(entitlement, justBefore(instant));
}

/** The instants at which the clock can change the status, in order. */
function boundaries(entitlement: Entitlement): readonly Date[] {
  if (entitlement.kind === 'one_time') return [];
  const { currentPeriodEnd, graceUntil, cancellation } = entitlement;
  const instants = cancellation === null ? [] : [cancellation.at];
  return [...instants, currentPeriodEnd, graceUntil].toSorted((a, b) => a.getTime() - b.getTime());
}
