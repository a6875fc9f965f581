import { maxDifference } from '../../../core/clock/clock-state.ts';
import type { ReceiverTime } from '../../../core/webhook/stream/delivery-effect.ts';

/** A resumption that was asked for here. */
export interface Resumption {
  readonly askedAt: Date;
  /** When that was canceled which it undoes, by Stripe's clock. */
  readonly undoes: readonly ReceiverTime[];
}

/**
 * Whether a cancellation at Stripe is the buyer's, made after a resumption here. Its `canceled_at`, in seconds, is compared
 * with instants of Stripe. Only for one that they leave open do both clocks count, and then any that may be later is.
 */
export function isAfterResumption(canceledAt: number | null, { askedAt, undoes }: Resumption): boolean {
  if (canceledAt === null) return false;
  const at = canceledAt * 1000;
  if (undoes.some(({ from, to }) => from.getTime() <= at && at <= to.getTime())) return false;
  return at > askedAt.getTime() - maxDifference;
}
