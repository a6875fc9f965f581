import type { StoreTime } from './clock-marks.port.ts';

const second = 1000;
const minute = 60 * second;

/** Both clocks of a process, read together. */
export interface Moment {
  readonly wall: Date;
  /** Milliseconds of the monotonic clock. */
  readonly monotonic: number;
}

/** Why a clock is not trusted. */
export interface Doubt {
  readonly reason: 'ahead of the mark' | 'ahead of the server' | 'jumped';
  /** Milliseconds by which it is ahead, or has jumped. */
  readonly by: number;
}

/** The state of a process's wall clock. Null before it was compared with the store. */
export type ClockState = KnownClock | null;

export interface KnownClock {
  /** Null if the clock is trusted. */
  readonly doubt: Doubt | null;
  /** The wall clock minus the monotonic one, in milliseconds, since it was last set. */
  readonly offset: number;
  /** Since when nobody has set the wall clock, by the monotonic one. */
  readonly steadySince: number;
}

/**
 * The maximum lead of a clock over the mark when a server starts, in milliseconds. It covers a restart. A server that was
 * stopped for longer waits for `steadyTime`.
 */
export const maxLead = 60 * minute;

/**
 * The maximum lead of a clock over the server of the store, and of a jump ahead, in milliseconds. It is more than the
 * corrections of a clock that is kept right.
 */
export const maxDifference = 5 * minute;
export const maxJump = 2 * minute;

/** The time for which a clock that is in doubt must have been steady to be trusted, in milliseconds. */
export const steadyTime = 15 * minute;

/**
 * The time for which a clock must have been steady before events are removed by it, in milliseconds. Wrong clocks are
 * soon corrected.
 */
export const removalDelay = 5 * minute;

/** A wall clock whose offset from the monotonic one changes by more than this was set. In milliseconds. */
const tolerance = 5 * second;

/** Follows the clocks of a process. */
export function follow(known: KnownClock, { wall, monotonic }: Moment): KnownClock {
  const offset = wall.getTime() - monotonic;
  const step = offset - known.offset;
  if (Math.abs(step) > tolerance) {
    const doubt: Doubt | null = step > maxJump ? { reason: 'jumped', by: step } : known.doubt;
    return { doubt, offset, steadySince: monotonic };
  }
  const isSteady = monotonic - known.steadySince >= steadyTime;
  // The server of the store contradicts the clock for as long as they differ.
  return isSteady && known.doubt?.reason !== 'ahead of the server' ? { ...known, doubt: null } : known;
}

/**
 * Compares the clock with the store, as it was read after `moment`. A clock that has been trusted may be ahead of the
 * mark, which is written once a minute. One that is in doubt is trusted as soon as another process has moved the mark.
 */
export function compare(state: ClockState, moment: Moment, { mark, server }: StoreTime): KnownClock {
  const { wall, monotonic } = moment;
  const begun: KnownClock = { doubt: null, offset: wall.getTime() - monotonic, steadySince: monotonic };
  const known = state === null ? begun : follow(state, moment);
  const aheadOfServer = lead(wall, server);
  if (aheadOfServer > maxDifference) return { ...known, doubt: { reason: 'ahead of the server', by: aheadOfServer } };
  if (state !== null && known.doubt === null) return known;
  const aheadOfMark = lead(wall, mark);
  if (known.doubt?.reason === 'jumped') {
    const isConfirmed = mark !== null && aheadOfMark <= maxJump;
    return isConfirmed ? { ...known, doubt: null } : known;
  }
  return { ...known, doubt: aheadOfMark <= maxLead ? null : { reason: 'ahead of the mark', by: aheadOfMark } };
}

/** Whether events may be removed by a clock. */
export function mayRemove({ doubt, steadySince }: KnownClock, { monotonic }: Moment): boolean {
  return doubt === null && monotonic - steadySince >= removalDelay;
}

/** Milliseconds by which a clock is behind the instants that the store knows; 0 or less if it is not. */
export function lag(wall: Date, { mark, server }: StoreTime): number {
  return Math.max(mark?.getTime() ?? -Infinity, server?.getTime() ?? -Infinity) - wall.getTime();
}

/** Milliseconds by which a clock is ahead of an instant that the store knows. */
export function lead(wall: Date, known: Date | null): number {
  return known === null ? -Infinity : wall.getTime() - known.getTime();
}

/** When a store was served before a server returns to it. */
export interface Served {
  /** Null if the store does not say. */
  readonly at: Date | null;
  /** Whether that is longer ago than a restart takes, or unknown. */
  readonly isLongAgo: boolean;
}

export function servedBefore(mark: Date | null, now: Date): Served {
  return { at: mark, isLongAgo: mark === null || lead(now, mark) > maxLead };
}
