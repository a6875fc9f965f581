import type { Call } from '../call.ts';
import { Refusal } from '../refusal.ts';
import type { ClockMarks } from './clock-marks.port.ts';
import { compare } from './clock-state.ts';

/** Refuses with `clock_ahead` if a server that starts with the clock of the call would not trust it. */
export type CheckClock = (call: Call) => Promise<void>;

export function checkClock(marks: ClockMarks): CheckClock {
  return async (call) => {
    const { doubt } = compare(null, { wall: call.now, monotonic: 0 }, await marks.read(call));
    if (doubt !== null) throw new Refusal('clock_ahead');
  };
}

/** Moves the mark to the clock of the call, also backwards, because the operator vouches for it. */
export type AcceptClock = (call: Call) => Promise<void>;

export function acceptClock(marks: ClockMarks): AcceptClock {
  return (call) => marks.reset(call.now, call);
}
