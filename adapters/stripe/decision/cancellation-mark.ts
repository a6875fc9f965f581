import type { Stripe } from 'stripe';
import type { DeliveryEffect } from '../../../core/webhook/stream/delivery-effect.ts';

/** The member of the metadata at Stripe that names the attempt which has canceled: `EVENT.NUMBER`. */
export const cancellationMark = 'latchkey_canceled';

/** The mark of a cancellation, or null without one. */
export function markOf({ metadata }: Pick<Stripe.Subscription, 'metadata'>): string | null {
  return metadata[cancellationMark] ?? null;
}

/** The marks that are known here. */
export interface KnownMarks {
  /** The last one that was seen at Stripe. */
  readonly seen: string | null;
  /** Those of attempts whose outcome was never seen. */
  readonly unseen: readonly string[];
  /** The ids of the cancellations that are on their way. */
  readonly waiting: readonly string[];
}

export function knownMarks(effect: DeliveryEffect | null | undefined, waiting: readonly string[] = []): KnownMarks {
  return { seen: effect?.mark ?? null, unseen: effect?.unseen ?? [], waiting };
}

/**
 * Reports whether a mark is that of an attempt of ours whose outcome was never seen. Stripe carries each out at most once, so
 * that what has such a mark is ours, however late. A backup knows no attempts, but which cancellations were on their way.
 * Somebody who resumes and cancels again at Stripe keeps an old mark.
 */
export function isUnseen(mark: string | null, { seen, unseen, waiting }: KnownMarks): boolean {
  if (mark === null) return false;
  return unseen.includes(mark) || (mark !== seen && waiting.includes(eventOf(mark)));
}

/** Names the next attempt of an event. `others` are marks that may be its own. */
export function nextMark(eventId: string, others: readonly (string | null)[]): string {
  const numbers = others.flatMap((mark) => (mark !== null && eventOf(mark) === eventId ? [numberOf(mark)] : []));
  return `${eventId}.${Math.max(0, ...numbers) + 1}`;
}

/** The event of the attempt that a mark names. */
export function eventOf(mark: string): string {
  return mark.slice(0, Math.max(0, mark.lastIndexOf('.')));
}

function numberOf(mark: string): number {
  const number = Number(mark.slice(mark.lastIndexOf('.') + 1));
  return Number.isSafeInteger(number) ? number : 0;
}
