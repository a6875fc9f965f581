import type { Call } from '../call.ts';
import { inOrder, reaches, requireReach, visible } from '../reach.ts';
import type { DeliveryStream, StreamName } from '../webhook/stream/delivery-stream.ts';
import type { DeliveryStreams, StreamPage } from '../webhook/stream/delivery-streams.port.ts';
import type { WebhookEndpoint } from '../webhook/webhook-endpoint.ts';
import type { WebhookEndpoints } from '../webhook/webhook-endpoints.port.ts';
import { filteredPage } from './limited-pages.ts';

export function limitedEndpoints(all: WebhookEndpoints): WebhookEndpoints {
  return {
    find: async (id, call) => visible(await all.find(id, call), call),

    page: (part, call) => all.page(call.products === null ? part : { ...part, products: inOrder(call.products) }, call),

    // Whatever the endpoint says: a limited caller must not look around in the network of the service.
    add: async (endpoint, call) => {
      requireReach(call, endpoint.productId);
      return all.add(call.products === null ? endpoint : { ...endpoint, isPublicOnly: true }, call);
    },

    replace: async (next, call) => {
      requireReach(call, next.productId);
      return all.replace(next, call);
    },

    remove: (id, _products, call) => all.remove(id, call.products, call),
  };
}

/**
 * A stream belongs to the owner of its endpoint or, if it was made for another addition than that endpoint's, to its
 * product: an addition that has not come to its end, or has failed, has only streams.
 */
export function limitedStreams(all: DeliveryStreams, endpoints: WebhookEndpoints): DeliveryStreams {
  const isOwn = async (name: StreamName, call: Call): Promise<boolean> =>
    call.products === null || (call.products.has(name.productId) && ownsEndpoint(name, await find(name, call), call));
  const find = (name: StreamName, call: Call): Promise<WebhookEndpoint | null> => endpoints.find(name.endpointId, call);
  return {
    find: async (name, call, aside) => ((await isOwn(name, call)) ? all.find(name, call, aside) : null),

    page: (page, call) => (call.products === null ? all.page(page, call) : ownPage(all, endpoints, page, call)),

    add: async (streams, call) => {
      for (const name of streams) requireReach(call, (await isOwn(name, call)) ? name.productId : null);
      return all.add(streams, call);
    },

    replace: async (next, call, changes) => {
      requireReach(call, next.productId);
      return (await isOwn(next, call)) ? all.replace(next, call, changes) : { kind: 'stale' };
    },

    next: async (name, limit, call) => ((await isOwn(name, call)) ? all.next(name, limit, call) : new Map()),

    remove: async (names, call) => all.remove(await owned(names, call), call),
  };

  async function owned(names: readonly StreamName[], call: Call): Promise<readonly StreamName[]> {
    const own = await Promise.all(names.map((name) => isOwn(name, call)));
    return names.filter((_name, index) => own[index]);
  }
}

function ownsEndpoint({ addition }: StreamName, endpoint: WebhookEndpoint | null, { products }: Call): boolean {
  return endpoint?.addition !== addition || reaches(products, endpoint.productId);
}

/** A part of the list, with one look-up for the streams of an endpoint. */
function ownPage(
  all: DeliveryStreams,
  endpoints: WebhookEndpoints,
  { endpointId, after, limit }: StreamPage,
  call: Call,
): Promise<readonly DeliveryStream[]> {
  const known = new Map<string, Promise<WebhookEndpoint | null>>();
  const endpointOf = (id: string): Promise<WebhookEndpoint | null> => {
    const found = known.get(id) ?? endpoints.find(id, call);
    known.set(id, found);
    return found;
  };
  const accepts = async (slice: readonly DeliveryStream[]): Promise<readonly DeliveryStream[]> => {
    const ofProducts = slice.filter(({ productId }) => reaches(call.products, productId));
    const found = await Promise.all(ofProducts.map((stream) => endpointOf(stream.endpointId)));
    return ofProducts.filter((stream, index) => ownsEndpoint(stream, found[index] ?? null, call));
  };
  return filteredPage<DeliveryStream>(
    limit,
    (last, size) => all.page({ endpointId, after: last ?? after, limit: size }, call),
    accepts,
  );
}
