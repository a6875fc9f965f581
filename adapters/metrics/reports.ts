import { channel } from 'node:diagnostics_channel';
import type { MailKind, MailOutcome } from '../../core/mail/mailing.ts';
import type { Batch } from '../../core/store/store.port.ts';
import type { DeliveryOutcome } from '../../core/webhook/send-delivery.ts';

/**
 * Messages of one kind from where they arise in this process to its metrics. A store is opened before there are metrics,
 * and most commands have none: then nobody listens.
 */
export interface Reports<Message> {
  readonly send: (message: Message) => void;
  /** Calls a listener with each message from now on. Returns the function that ends it. */
  readonly listen: (listener: (message: Message) => void) => () => void;
}

/** The batches of the stores. */
export const batchReports: Reports<Batch> = reportsOn('latchkey:batch');

/** The outcomes of deliveries. */
export const deliveryReports: Reports<DeliveryOutcome['kind']> = reportsOn('latchkey:delivery');

export const eventOutcomes = ['looked', 'ignored', 'failed', 'invalid_signature'] as const;
export const lookOutcomes = ['granted', 'changed', 'unchanged', 'nothing', 'refused'] as const;
export const stripeRefusals = [
  'revoked_here',
  'other_product',
  'other_kind',
  'refund_failed',
  'grant_refused',
] as const;

export const outgoingOutcomes = ['sent', 'agreed', 'dropped', 'refused', 'failed'] as const;

export const addressLookOutcomes = ['found', 'none', 'failed'] as const;

/** Something that happens with Stripe and is counted. */
export type StripeCount =
  | { readonly kind: 'event'; readonly outcome: (typeof eventOutcomes)[number] }
  | { readonly kind: 'look'; readonly outcome: (typeof lookOutcomes)[number] }
  | { readonly kind: 'refused'; readonly reason: (typeof stripeRefusals)[number] }
  | { readonly kind: 'out'; readonly outcome: (typeof outgoingOutcomes)[number] }
  | { readonly kind: 'address look'; readonly outcome: (typeof addressLookOutcomes)[number] }
  | { readonly kind: 'unmapped' };

/** The metrics of work with Stripe. */
export const stripeReports: Reports<StripeCount> = reportsOn('latchkey:stripe');

/** The outcome of a mail, to be counted. */
export interface MailCount {
  readonly kind: MailKind;
  readonly outcome: MailOutcome;
}

/** The mails. */
export const mailReports: Reports<MailCount> = reportsOn('latchkey:mail');

function reportsOn<Message>(name: string): Reports<Message> {
  const messages = channel(name);
  return {
    send: (message) => messages.publish(message),
    listen(listener) {
      const onMessage = (message: unknown): void => listener(message as Message);
      messages.subscribe(onMessage);
      return () => {
        messages.unsubscribe(onMessage);
      };
    },
  };
}
