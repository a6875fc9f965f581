import { channel } from 'node:diagnostics_channel';
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
