import { maxDifference } from '../../../core/clock/clock-state.ts';
import { isUnseen, type KnownMarks } from './cancellation-mark.ts';

/** A resumption that was asked for here. */
export interface Resumption {
  readonly askedAt: Date;
  /** When that was canceled which it undoes, by Stripe's clock. */
  readonly undoes: readonly Date[];
  readonly marks: KnownMarks;
}

/** A cancellation at Stripe. */
export interface CanceledThere {
  /** In seconds. */
  readonly canceledAt: number | null;
  readonly mark: string | null;
}

/**
 * Whether a cancellation at Stripe is the buyer's, made after a resumption here. Ours is known by its mark or by its instant,
 * which are Stripe's. Only for one that they leave open do both clocks count, and then any that may be later is the buyer's.
 */
export function isAfterResumption(
  { canceledAt, mark }: CanceledThere,
  { askedAt, undoes, marks }: Resumption,
): boolean {
  if (canceledAt === null || isUnseen(mark, marks)) return false;
  const at = canceledAt * 1000;
  if (undoes.some((each) => each.getTime() === at)) return false;
  return at > askedAt.getTime() - maxDifference;
}
