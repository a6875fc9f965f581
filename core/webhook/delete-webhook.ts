import type { Call } from '../call.ts';
import { removeStreams } from './change-streams.ts';
import type { DeliveryStreams } from './stream/delivery-streams.port.ts';
import type { WebhookEndpoints } from './webhook-endpoints.port.ts';

/**
 * Deletes an endpoint, and everything that waits for it. Returns whether it existed. Safe to repeat: that removes what an
 * earlier call, or an addition that failed, has left.
 */
export type DeleteWebhook = (id: string, call: Call) => Promise<boolean>;

export function deleteWebhook(endpoints: WebhookEndpoints, streams: DeliveryStreams): DeleteWebhook {
  return async (id, call) => {
    const endpoint = await endpoints.find(id, call);
    // The endpoint goes first: streams without one are never delivered.
    const existed = await endpoints.remove(id, call);
    const isLeftOver = (addition: string): boolean => endpoint === null || addition === endpoint.addition;
    await removeStreams(streams, id, ({ addition }) => isLeftOver(addition), call);
    return existed;
  };
}
