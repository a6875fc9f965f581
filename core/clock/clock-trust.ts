import type { Call } from '../call.ts';
import { Refusal } from '../refusal.ts';
import type { ClockMarks } from './clock-marks.port.ts';
import { compare } from './clock-state.ts';
import { doubtInterval } from './clock-watch.ts';

/** Whether the clock of a process is trusted, at the instant of a call, with work that cannot be undone. */
export type TrustsClock = (call: Call) => boolean | Promise<boolean>;

/** Trusts the clock of a call where a server that starts with it would. For processes that do not watch theirs. */
export function comparesClock(marks: ClockMarks): TrustsClock {
  return async (call) => {
    const { doubt } = compare(null, { wall: call.now, monotonic: 0 }, await marks.read(call));
    return doubt === null;
  };
}

/** Refuses with `clock_not_trusted` unless the clock is trusted. The default message is about signing. */
export async function requireTrust(trusts: TrustsClock, call: Call, message?: string): Promise<void> {
  if (await trusts(call)) return;
  const retryAt = new Date(call.now.getTime() + doubtInterval);
  throw new Refusal('clock_not_trusted', { retryAt, ...(message !== undefined && { message }) });
}

/** Asks the watch of the clock of a process. Without a watch, the clock is trusted. */
export class ClockTrust {
  #ask: () => boolean | Promise<boolean> = () => true;

  readonly trusts = (): boolean | Promise<boolean> => this.#ask();

  /** Sets the watcher to ask from now on. */
  askOf(watcher: () => boolean | Promise<boolean>): void {
    this.#ask = watcher;
  }
}
