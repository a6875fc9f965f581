import type { Call } from '../call.ts';
import type { ReplaceOutcome } from '../compare-and-set.ts';
import type { WebhookEndpoint } from './webhook-endpoint.ts';

export interface WebhookEndpoints {
  find(id: string, call: Call): Promise<WebhookEndpoint | null>;

  /** Lists at most `limit` endpoints after an id, or the first ones, by id in code-point order. */
  page(after: string | null, limit: number, call: Call): Promise<readonly WebhookEndpoint[]>;

  /** Adds an endpoint, unless another has its id. */
  add(endpoint: WebhookEndpoint, call: Call): Promise<'added' | 'id taken'>;

  /** Replaces an endpoint if its stored revision is one less than that of `next`. */
  replace(next: WebhookEndpoint, call: Call): Promise<ReplaceOutcome>;

  /** Removes an endpoint and leaves its streams. Returns whether it existed. Safe to repeat. */
  remove(id: string, call: Call): Promise<boolean>;
}
