/** The wall clock. Statuses follow from it; nothing is ever ordered by it. */
export type Clock = () => Date;

/** Milliseconds since some instant, by a clock that never jumps. Core reads no clock, so callers pass theirs. */
export type MonotonicClock = () => number;

/** The time that the caller of a request or command still waits for its answer. */
export interface Deadline {
  /** Milliseconds left, by a monotonic clock; zero or less once the deadline has passed. */
  remaining(): number;
}

/** A deadline that many milliseconds from now. */
export function deadlineIn(milliseconds: number, clock: MonotonicClock): Deadline {
  const end = clock() + milliseconds;
  return { remaining: () => end - clock() };
}

/** Who causes a change, as its history names it. No request of the public knows who sent it. */
export type Actor =
  | `affiliate:${string}`
  | `app-key:${string}`
  | `operator:${string}`
  | `command:${string}`
  | 'buyer'
  | 'clock'
  | 'license'
  | 'public'
  | 'stripe';

/** The distributed trace that a request belongs to. */
export interface Trace {
  /** Identifies the trace in the log. */
  readonly id: string;
  /** The whole value that the caller sent, to be passed on to every service that is called for the request. */
  readonly parent: string;
}

/** The context of one request or command, passed through every layer from its arrival on. */
export interface Call {
  /** The one instant used for the decision, the stored change, its record and the answer. */
  readonly now: Date;
  /** The maximum wait in every queue, semaphore and store on the way. */
  readonly deadline: Deadline;
  readonly correlationId: string;
  readonly by: Actor;
  /**
   * The products that the caller may reach. Null for every product and what belongs to none: commands, keys without a limit
   * and the service itself. Empty until it is known who calls.
   */
  readonly products: ReadonlySet<string> | null;
  /** Absent if the caller sent none. */
  readonly trace?: Trace;
}

/** The same call with `milliseconds` more: a wait in between was not for the store. */
export function extended(call: Call, milliseconds: number): Call {
  return { ...call, deadline: { remaining: () => call.deadline.remaining() + milliseconds } };
}

/** Begins a call. Work that may take longer than one deadline begins one for each of its parts. */
export type NewCall = () => Call;
