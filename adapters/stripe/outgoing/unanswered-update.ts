import { randomUUID } from 'node:crypto';
import type { Call } from '../../../core/call.ts';
import { hour } from '../../../core/parsing/duration.ts';
import type { DeliveryEffect, ReceiverTime } from '../../../core/webhook/stream/delivery-effect.ts';
import { askStripe, isOfLibrary } from '../client/ask-stripe.ts';
import type { StripeClient } from '../client/create-stripe.ts';
import { effectAt, isGuess } from './stripe-time.ts';

/*
 * Every update of a cancellation has an idempotency key of its own, which is stored before the update is sent. Stripe carries
 * out at most one request under a key. So an update without an answer can be asked after, however late Stripe gets it.
 */

/** How long Stripe knows a key, in milliseconds: a day, of which something is left for the requests. */
const keyLife = 23 * hour;

/** The idempotency key of one update. */
export function newKey(): string {
  return `latchkey-${randomUUID()}`;
}

/** Reports whether an update has no answer, so that Stripe may have carried it out, or may do so yet. */
export function isUnanswered(
  effect: DeliveryEffect | undefined,
  now: Date,
): effect is DeliveryEffect & { readonly unanswered: string } {
  return effect?.unanswered !== undefined && now.getTime() - effect.keptAt.getTime() < keyLife;
}

/**
 * Makes sure that Stripe carries out no update of ours any more that has no answer, and returns when it has canceled, as far
 * as is known. Null if it never has. Asks Stripe nothing if the answers are known.
 */
export async function settleUnanswered(
  stripe: StripeClient,
  id: string,
  known: DeliveryEffect | undefined,
  call: Call,
): Promise<ReceiverTime | null> {
  if (known === undefined) return null;
  const time = { from: known.from, to: known.to };
  if (!isUnanswered(known, call.now)) return time;
  const update = { stripe, id, key: known.unanswered };
  if (await isBarred(update, call)) return isGuess(time) ? null : time;
  return (await repeatedTime(update, call)) ?? time;
}

interface Unanswered {
  readonly stripe: StripeClient;
  readonly id: string;
  readonly key: string;
}

/** Uses the key up for an update of nothing. False if Stripe has carried out another one under it. */
async function isBarred({ stripe, id, key }: Unanswered, call: Call): Promise<boolean> {
  try {
    await askStripe(call, (options) => stripe.subscriptions.update(id, {}, { ...options, idempotencyKey: key }));
    return true;
  } catch (error) {
    if (isOfAnother(error)) return false;
    if (isRepeated(error)) return true;
    throw error;
  }
}

/** Has the answer to a cancellation repeated. Null if the update was none, or has failed. */
async function repeatedTime({ stripe, id, key }: Unanswered, call: Call): Promise<ReceiverTime | null> {
  try {
    const cancellation = { cancel_at_period_end: true };
    const canceled = await askStripe(call, (options) =>
      stripe.subscriptions.update(id, cancellation, { ...options, idempotencyKey: key }),
    );
    return effectAt(canceled.canceled_at);
  } catch (error) {
    if (isOfAnother(error) || isRepeated(error)) return null;
    throw error;
  }
}

/** Reports whether Stripe knows the key from a request with other parameters. */
function isOfAnother(error: unknown): boolean {
  return isOfLibrary(error) && error.type === 'StripeIdempotencyError';
}

/** Reports whether Stripe has repeated how the first request under the key has failed. */
function isRepeated(error: unknown): boolean {
  return isOfLibrary(error) && error.headers?.['idempotent-replayed'] === 'true';
}
