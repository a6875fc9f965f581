import type { Call, NewCall } from '../call.ts';
import { Refusal } from '../refusal.ts';
import type { ClockMarks } from './clock-marks.port.ts';
import { servedBefore, type Served } from './clock-state.ts';
import { comparesClock } from './clock-trust.ts';

/** Refuses with `clock_ahead` if a server that starts with the clock of the call would not trust it. */
export type CheckClock = (call: Call) => Promise<void>;

export function checkClock(marks: ClockMarks): CheckClock {
  const trusts = comparesClock(marks);
  return async (call) => {
    if (!(await trusts(call))) throw new Refusal('clock_ahead');
  };
}

/** Does what follows where a server returns to a store. */
type Return = (served: Served, newCall: NewCall) => Promise<unknown>;

/**
 * Moves the mark to the clock of the call, also backwards, because the operator vouches for it. Before that, it does
 * the work of a server that returns to the old mark.
 */
export type AcceptClock = (call: Call) => Promise<void>;

export function acceptClock(marks: ClockMarks, onReturn: Return): AcceptClock {
  return async (call) => {
    const { mark } = await marks.read(call);
    await onReturn(servedBefore(mark, call.now), () => call);
    await marks.reset(call.now, call);
  };
}
