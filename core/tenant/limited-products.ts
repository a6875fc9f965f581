import type { PriceMap, PriceMapping } from '../billing/price-map.port.ts';
import type { StripeCases } from '../billing/stripe-cases.port.ts';
import { compareCodePoints } from '../code-points.ts';
import type { Events } from '../feed/events.port.ts';
import type { Products } from '../product/products.port.ts';
import { inOrder, reaches, requireReach, requireUnlimited, visible } from '../reach.ts';
import type { Tiers } from '../tier/tiers.port.ts';
import type { Trials } from '../trial/trials.port.ts';
import { filteredPage } from './limited-pages.ts';

export function limitedProducts(all: Products): Products {
  return {
    find: async (id, call) => (reaches(call.products, id) ? all.find(id, call) : null),

    page: async (after, limit, call) => {
      if (call.products === null) return all.page(after, limit, call);
      const rest = inOrder(call.products).filter((id) => after === null || compareCodePoints(id, after) > 0);
      const found = await Promise.all(rest.map((id) => all.find(id, call)));
      return found.filter((product) => product !== null).slice(0, limit);
    },

    add: async (product, call) => {
      requireReach(call, product.id);
      return all.add(product, call);
    },

    put: async (product, call) => {
      requireReach(call, product.id);
      return all.put(product, call);
    },

    replace: async (seen, next, call) => {
      requireReach(call, seen.id);
      return all.replace(seen, next, call);
    },
  };
}

const emptyLog = { events: [], first: 0, last: 0 };

export function limitedEvents(all: Events): Events {
  return {
    page: async (productId, after, limit, call) =>
      reaches(call.products, productId) ? all.page(productId, after, limit, call) : emptyLog,

    prune: async (productId, until, call) =>
      reaches(call.products, productId) ? all.prune(productId, until, call) : 0,

    catchUp: (call) => all.catchUp(call),

    lastPosition: async (productId, call) =>
      reaches(call.products, productId) ? all.lastPosition(productId, call) : 0,

    lastPositions: (productIds, call) =>
      all.lastPositions(
        productIds.filter((id) => reaches(call.products, id)),
        call,
      ),
  };
}

export function limitedTiers(all: Tiers): Tiers {
  return {
    find: async (productId, id, call) => (reaches(call.products, productId) ? all.find(productId, id, call) : null),

    page: async (productId, after, limit, call) =>
      reaches(call.products, productId) ? all.page(productId, after, limit, call) : [],

    all: async (call) => (await all.all(call)).filter(({ productId }) => reaches(call.products, productId)),

    replace: async (next, event, call) => {
      requireReach(call, next.productId);
      return all.replace(next, event, call);
    },
  };
}

/** The mappings of prices, which only the service changes. */
export function limitedPrices(all: PriceMap): PriceMap {
  return {
    find: async (price, call) => visible(await all.find(price, call), call),

    page: async (after, limit, call) => {
      const { products } = call;
      if (products === null) return all.page(after, limit, call);
      return filteredPage<PriceMapping>(
        limit,
        (last, size) => all.page(last?.price ?? after, size, call),
        (slice) => slice.filter(({ productId }) => products.has(productId)),
      );
    },

    put: async (mapping, call) => {
      requireUnlimited(call);
      return all.put(mapping, call);
    },

    remove: async (price, call) => {
      requireUnlimited(call);
      return all.remove(price, call);
    },
  };
}

/** The sales that need a person, which belong to the owner's account at Stripe. */
export function limitedCases(all: StripeCases): StripeCases {
  return {
    find: async (id, call) => (call.products === null ? all.find(id, call) : []),

    page: async (after, limit, call) => (call.products === null ? all.page(after, limit, call) : []),

    count: async (call) => (call.products === null ? all.count(call) : new Map()),

    put: async (found, call) => {
      requireUnlimited(call);
      return all.put(found, call);
    },

    remove: async (id, kinds, call) => {
      requireUnlimited(call);
      return all.remove(id, kinds, call);
    },
  };
}

export function limitedTrials(all: Trials): Trials {
  return {
    find: async (id, call) => visible(await all.find(id, call), call),
    page: async (part, call) => (reaches(call.products, part.productId) ? all.page(part, call) : []),
    add: async (trial, call) => {
      requireReach(call, trial.productId);
      return all.add(trial, call);
    },
    replace: async (next, call) => {
      requireReach(call, next.productId);
      return all.replace(next, call);
    },
    prune: async (end, call) => {
      requireUnlimited(call);
      return all.prune(end, call);
    },
  };
}
