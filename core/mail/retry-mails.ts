import type { Call } from '../call.ts';
import { retryStreams } from '../webhook/enable-webhook.ts';
import type { DeliveryStreams } from '../webhook/stream/delivery-streams.port.ts';
import { mailing } from './mailing.ts';

/**
 * Makes every mail that has failed due at once, parked ones too, with all attempts. Returns their number. A mail that
 * is no longer right is left out when it is sent.
 */
export type RetryMails = (call: Call) => Promise<number>;

export function retryMails(deliveryStreams: DeliveryStreams): RetryMails {
  const retryAll = retryStreams(deliveryStreams);
  return (call) => retryAll(mailing.endpoint, call);
}
