/** A request of a stream, kept so that people see how the receiver answers. */
export interface DeliveryAttempt {
  /** When it was sent. */
  readonly at: Date;
  /** The position of its event in the log of the product. */
  readonly position: number;
  readonly eventId: string;
  /** The status of the answer; null if there was none. */
  readonly status: number | null;
  /** Why there was no answer; null if there was one. Contains nothing that the receiver has sent. */
  readonly reason: string | null;
  /** Milliseconds until the answer, or until there could be none any more. */
  readonly durationMs: number;
}

/** Whether the receiver has taken the event. */
export function isAccepted({ status }: Pick<DeliveryAttempt, 'status'>): boolean {
  return status !== null && status >= 200 && status < 300;
}

/** A status, or the reason why there was none, as stores keep it in one value. */
export type StoredAnswer = number | string;

export function storedAnswer({ status, reason }: Pick<DeliveryAttempt, 'status' | 'reason'>): StoredAnswer {
  return status ?? reason ?? '';
}

export function fromStoredAnswer(answer: StoredAnswer): Pick<DeliveryAttempt, 'status' | 'reason'> {
  return typeof answer === 'number' ? { status: answer, reason: null } : { status: null, reason: answer };
}

/** The attempts that a stream keeps: about 1.5 KB. */
export const maxAttempts = 20;

/** Puts an attempt before those that a stream keeps, and drops the oldest. */
export function withAttempt(kept: readonly DeliveryAttempt[], attempt: DeliveryAttempt): readonly DeliveryAttempt[] {
  return [attempt, ...kept].slice(0, maxAttempts);
}
