import type { Call } from '../call.ts';
import type { ReplaceOutcome } from '../compare-and-set.ts';
import type { Reach } from '../reach.ts';
import type { WebhookEndpoint } from './webhook-endpoint.ts';

/** A part of the list of endpoints. */
export interface EndpointPart {
  /** Only endpoints of these products; null for those of every product, and those for all of them. */
  readonly products: readonly string[] | null;
  /** The id of the last endpoint before the part; null for the first part. */
  readonly after: string | null;
  readonly limit: number;
}

export interface WebhookEndpoints {
  find(id: string, call: Call): Promise<WebhookEndpoint | null>;

  /** Lists at most `limit` endpoints after an id, by id in code-point order. */
  page(part: EndpointPart, call: Call): Promise<readonly WebhookEndpoint[]>;

  /** Adds an endpoint, unless another has its id. */
  add(endpoint: WebhookEndpoint, call: Call): Promise<'added' | 'id taken'>;

  /** Replaces an endpoint if its stored revision is one less than that of `next`, and it is still of the same addition. */
  replace(next: WebhookEndpoint, call: Call): Promise<ReplaceOutcome>;

  /**
   * Removes an endpoint, if it is for one of the products (null for any endpoint), and leaves its streams. Returns whether it
   * has done so. Safe to repeat.
   */
  remove(id: string, products: Reach, call: Call): Promise<boolean>;
}
