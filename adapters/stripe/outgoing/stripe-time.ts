import type { Stripe } from 'stripe';
import type { ReceiverTime } from '../../../core/webhook/stream/delivery-effect.ts';

/** The time that a request which follows an answer of Stripe takes by a guess, in milliseconds. */
const guessedTime = 15_000;

/** The time of a request that nothing is known of: no cancellation was made then. */
const never: ReceiverTime = { from: new Date(0), to: new Date(0) };

/** When a request that follows an answer of Stripe is carried out, by a guess, until Stripe says it. */
export function timeAfter({ lastResponse }: Stripe.Response<Stripe.Subscription>): ReceiverTime {
  const from = Date.parse(lastResponse.headers['date'] ?? '');
  return Number.isNaN(from) ? never : { from: new Date(from), to: new Date(from + guessedTime) };
}

/** Reports whether Stripe has not said when a request was carried out. */
export function isGuess({ from, to }: ReceiverTime): boolean {
  return from.getTime() !== to.getTime();
}

/** The instant of a cancellation at Stripe. */
export function effectAt(canceledAt: number | null): ReceiverTime | null {
  if (canceledAt === null) return null;
  const at = new Date(canceledAt * 1000);
  return { from: at, to: at };
}
