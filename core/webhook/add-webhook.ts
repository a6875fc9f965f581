import type { Call } from '../call.ts';
import type { Events } from '../feed/events.port.ts';
import type { NewId } from '../identifier.ts';
import { productSlices } from '../product/list-products.ts';
import type { Products } from '../product/products.port.ts';
import { Refusal } from '../refusal.ts';
import type { NewSecret } from '../secret.ts';
import { removeStreams } from './stored-streams.ts';
import { newStream, streamName } from './stream/delivery-stream.ts';
import type { DeliveryStreams } from './stream/delivery-streams.port.ts';
import { haveSameTerms, type EndpointTerms, type WebhookEndpoint } from './webhook-endpoint.ts';
import type { WebhookEndpoints } from './webhook-endpoints.port.ts';

export interface WebhookRequest extends EndpointTerms {
  /** Null for a generated one. */
  readonly id: string | null;
}

/** An endpoint that was added, now or by an earlier request with the same id. */
export interface AddedWebhook {
  readonly endpoint: WebhookEndpoint;
  /** The only copy of the secret. Null if the endpoint was added before: nothing shows a secret twice. */
  readonly secret: string | null;
}

/**
 * Adds an endpoint, which gets every event from now on. With the id of an endpoint on the same terms nothing is added, so
 * that a request with an id is safe to repeat. Refuses with `product_not_found`, and with `webhook_exists` if an endpoint
 * on other terms has the id.
 */
export type AddWebhook = (request: WebhookRequest, call: Call) => Promise<AddedWebhook>;

interface Ports {
  readonly endpoints: WebhookEndpoints;
  readonly streams: DeliveryStreams;
  readonly events: Events;
  readonly products: Products;
}

export function addWebhook(ports: Ports, newId: NewId, newSecret: NewSecret): AddWebhook {
  const { endpoints, products, streams } = ports;
  /** Removes the streams that other additions of the same id have left, because they failed or came second. */
  const removeOthers = ({ id, addition }: WebhookEndpoint, call: Call): Promise<void> =>
    removeStreams(streams, id, (stream) => stream.addition !== addition, call);
  return async ({ id, ...terms }, call) => {
    const { productId } = terms;
    if (productId !== null && (await products.find(productId, call)) === null) throw new Refusal('product_not_found');
    const known = id === null ? null : await endpoints.find(id, call);
    if (known !== null) {
      const answer = repeated(known, terms);
      await removeOthers(known, call);
      return answer;
    }
    const secret = newSecret();
    const endpoint: WebhookEndpoint = {
      ...terms,
      id: id ?? newId(),
      addition: newId(),
      secrets: [{ key: secret, until: null }],
      state: 'enabled',
      reason: null,
      isPublicOnly: call.products !== null,
      createdAt: call.now,
      revision: 1,
    };
    await addStreams(ports, endpoint, call);
    const isAdded = (await endpoints.add(endpoint, call)) === 'added';
    if (isAdded) {
      await removeOthers(endpoint, call);
      return { endpoint, secret };
    }
    await removeStreams(streams, endpoint.id, ({ addition }) => addition === endpoint.addition, call);
    const winner = await endpoints.find(endpoint.id, call);
    if (winner === null) throw new Refusal('webhook_exists');
    return repeated(winner, terms);
  };
}

function repeated(known: WebhookEndpoint, terms: EndpointTerms): AddedWebhook {
  if (!haveSameTerms(known, terms)) throw new Refusal('webhook_exists');
  return { endpoint: known, secret: null };
}

/**
 * Adds a stream for each product, from the end of its log. The streams come before the endpoint, which publishes all of
 * them at once. So a product without a stream is newer than the endpoint, and its log is delivered from the beginning.
 */
async function addStreams({ streams, events, products }: Ports, endpoint: WebhookEndpoint, call: Call): Promise<void> {
  const { productId } = endpoint;
  const add = async (productIds: readonly string[]): Promise<void> => {
    const last = await events.lastPositions(productIds, call);
    await streams.add(
      productIds.map((id) => newStream(streamName(endpoint, id), last.get(id) ?? 0)),
      call,
    );
  };
  if (productId !== null) return add([productId]);
  for await (const slice of productSlices(products, () => call)) await add(slice.map(({ id }) => id));
}

/**
 * Deletes an endpoint, and everything that waits for it. Returns whether it existed. Safe to repeat: that removes the
 * remains of an earlier call, or of an addition that failed.
 */
export type DeleteWebhook = (id: string, call: Call) => Promise<boolean>;

export function deleteWebhook(endpoints: WebhookEndpoints, streams: DeliveryStreams): DeleteWebhook {
  return async (id, call) => {
    const endpoint = await endpoints.find(id, call);
    // The endpoint goes first: streams without one are never delivered.
    const existed = await endpoints.remove(id, call.products, call);
    const isLeftOver = (addition: string): boolean => endpoint === null || addition === endpoint.addition;
    await removeStreams(streams, id, ({ addition }) => isLeftOver(addition), call);
    return existed;
  };
}
