import type { Stripe } from 'stripe';
import type { ReceiverTime } from '../../../core/webhook/stream/delivery-effect.ts';

/** The longest time between an answer of Stripe and the end of the request that follows it, in milliseconds. */
const maxRequestTime = 15_000;

/**
 * When a request that follows an answer of Stripe is carried out, by Stripe's clock. So a cancellation of ours is known
 * although its own answer is lost, or the process is killed. Null if the answer has no time.
 */
export function timeAfter({ lastResponse }: Stripe.Response<Stripe.Subscription>): ReceiverTime | null {
  const from = Date.parse(lastResponse.headers['date'] ?? '');
  return Number.isNaN(from) ? null : { from: new Date(from), to: new Date(from + maxRequestTime) };
}

/** The instant of a cancellation at Stripe. */
export function effectAt(canceledAt: number | null): ReceiverTime | undefined {
  if (canceledAt === null) return undefined;
  const at = new Date(canceledAt * 1000);
  return { from: at, to: at };
}
