import type { Call } from '../call.ts';
import { compareCodePoints } from '../code-points.ts';
import type { AppKey } from '../key/app/app-key.ts';
import type { AllAppKeys } from '../key/app/app-keys.port.ts';
import type { KeyPosition } from '../key/keys.port.ts';
import type { OperatorKey } from '../key/operator/operator-key.ts';
import type { AllOperatorKeys } from '../key/operator/operator-keys.port.ts';
import { inOrder, isWithin, requireReach, visible } from '../reach.ts';
import { Refusal } from '../refusal.ts';
import { filteredPage, mergedPage } from './limited-pages.ts';

export function limitedAppKeys(keys: AllAppKeys): AllAppKeys {
  const find = async (id: string, call: Call): Promise<AppKey | null> => visible(await keys.find(id, call), call);
  return {
    find,

    page: async (page, call) => {
      const { products } = call;
      if (products === null) return keys.page(page, call);
      if (page.productId !== null) return products.has(page.productId) ? keys.page(page, call) : [];
      return mergedPage<AppKey>(inOrder(products), page.limit, comparePositions, (productId, last, limit) =>
        keys.page({ productId, after: last ?? page.after, limit }, call),
      );
    },

    add: async (key, call) => {
      requireReach(call, key.productId);
      return keys.add(key, call);
    },

    end: async (id, by, call) => {
      const isVisible = call.products === null || (await find(id, call)) !== null;
      return isVisible ? keys.end(id, by, call) : 'unchanged';
    },
  };
}

function comparePositions(a: KeyPosition, b: KeyPosition): number {
  return a.createdAt.getTime() - b.createdAt.getTime() || compareCodePoints(a.id, b.id);
}

/** A limited caller knows of the keys whose products are all among its own. */
export function limitedOperatorKeys(keys: AllOperatorKeys): AllOperatorKeys {
  const find = async (id: string, call: Call): Promise<OperatorKey | null> => {
    const key = await keys.find(id, call);
    return key !== null && isWithin(key.products, call.products) ? key : null;
  };
  return {
    find,

    page: async ({ after, limit }, call) => {
      if (call.products === null) return keys.page({ after, limit }, call);
      return filteredPage<OperatorKey>(
        limit,
        (last, size) => keys.page({ after: last ?? after, limit: size }, call),
        (slice) => slice.filter(({ products }) => isWithin(products, call.products)),
      );
    },

    add: async (key, call) => {
      if (!isWithin(key.products, call.products)) throw new Refusal('limited_key');
      return keys.add(key, call);
    },

    end: async (id, by, call) => {
      const isVisible = call.products === null || (await find(id, call)) !== null;
      return isVisible ? keys.end(id, by, call) : 'unchanged';
    },
  };
}
