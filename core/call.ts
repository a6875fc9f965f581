/** The wall clock. It decides what follows from the time of day; it never orders anything. */
export type Clock = () => Date;

/** How long the caller of one request or command still waits for its answer. */
export interface Deadline {
  /** Milliseconds left, by a clock that never jumps; zero or less when the time is over. */
  remaining(): number;
}

/** What one request or command carries through every layer, from the moment it arrives. */
export interface Call {
  /** The one instant used for the decision, the stored change, its record and the answer. */
  readonly now: Date;
  /** No queue, slot or store makes the caller wait longer than this. */
  readonly deadline: Deadline;
  readonly correlationId: string;
}

/** Begins a call for each part of work that may take longer than one call. */
export type NewCall = () => Call;
