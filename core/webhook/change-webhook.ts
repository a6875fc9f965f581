import type { Call } from '../call.ts';
import { untilStored } from '../compare-and-set.ts';
import { Refusal } from '../refusal.ts';
import type { WebhookEndpoint } from './webhook-endpoint.ts';
import type { WebhookEndpoints } from './webhook-endpoints.port.ts';

/** Finds an endpoint. Refuses with `webhook_not_found`. */
export async function findWebhook(endpoints: WebhookEndpoints, id: string, call: Call): Promise<WebhookEndpoint> {
  const endpoint = await endpoints.find(id, call);
  if (endpoint === null) throw new Refusal('webhook_not_found');
  return endpoint;
}

/** An endpoint after a change, and whether this call has changed it. */
export interface ChangedWebhook {
  readonly endpoint: WebhookEndpoint;
  readonly changed: boolean;
}

/**
 * Changes an endpoint as it is stored. `decide` returns null where nothing changes. Refuses with `webhook_not_found`,
 * with `changed_meanwhile`, and as `decide` does.
 */
export function changeWebhook(
  endpoints: WebhookEndpoints,
  id: string,
  decide: (seen: WebhookEndpoint) => Omit<WebhookEndpoint, 'revision'> | null,
  call: Call,
): Promise<ChangedWebhook> {
  return untilStored(call, async () => {
    const seen = await findWebhook(endpoints, id, call);
    const decided = decide(seen);
    if (decided === null) return { endpoint: seen, changed: false };
    const endpoint = { ...decided, revision: seen.revision + 1 };
    const outcome = await endpoints.replace(endpoint, call);
    return outcome.kind === 'replaced' ? { endpoint, changed: true } : outcome.kind;
  });
}
