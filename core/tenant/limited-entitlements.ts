import { isIdAtStripe } from '../billing/sold-by-stripe.ts';
import type { Call } from '../call.ts';
import { compareCodePoints } from '../code-points.ts';
import type { AllEntitlements, EntitlementHistory } from '../entitlement/administration/all-entitlements.port.ts';
import type { Entitlement } from '../entitlement/entitlement.ts';
import type { LicenseMoves } from '../entitlement/license/license-moves.port.ts';
import { inOrder, reaches, requireReach, visible } from '../reach.ts';
import { Refusal } from '../refusal.ts';
import { mergedPage } from './limited-pages.ts';

export function limitedEntitlements(all: AllEntitlements): AllEntitlements {
  return {
    find: async (id, call) => visible(await all.find(id, call), call),

    findByLicense: async (digest, call) => visible(await all.findByLicense(digest, call), call),

    page: async (part, call) => {
      const { products } = call;
      if (products === null) return all.page(part, call);
      if (part.productId !== null) return products.has(part.productId) ? all.page(part, call) : [];
      const own = inOrder(products);
      if ('order' in part) {
        return mergedPage<Entitlement>(own, part.limit, compareAges, (productId, last, limit) =>
          all.page({ ...part, productId, after: last ?? part.after, limit }, call),
        );
      }
      return mergedPage<Entitlement>(own, part.limit, compareIds, (productId, last, limit) =>
        all.page({ ...part, productId, after: last?.id ?? part.after, limit }, call),
      );
    },

    add: async (additions, call) => {
      for (const { entitlement } of additions) requireOwnAddition(entitlement, call);
      return all.add(additions, call);
    },

    // An id or a license that another caller has is taken. Nothing else of another shows anywhere.
    findExisting: (keys, call) => {
      const references = keys.references.filter((key) => reaches(call.products, productIn(key)));
      return all.findExisting({ ...keys, references }, call);
    },

    replace: async (seen, next, record, call) => {
      requireReach(call, seen.productId, next.productId);
      return all.replace(seen, next, record, call);
    },
  };
}

function compareIds(a: Entitlement, b: Entitlement): number {
  return compareCodePoints(a.id, b.id);
}

/** The newest first, as `PlaceByAge` has it. */
function compareAges(a: Entitlement, b: Entitlement): number {
  return b.createdAt.getTime() - a.createdAt.getTime() || compareCodePoints(b.id, a.id);
}

/** Whether a caller reaches an entitlement. For one that is not limited, none is read. */
export async function isOwnEntitlement(all: AllEntitlements, id: string, call: Call): Promise<boolean> {
  return call.products === null || visible(await all.find(id, call), call) !== null;
}

/** The history has no product, so that its entitlement is found first. */
export function limitedHistory(all: AllEntitlements, history: EntitlementHistory): EntitlementHistory {
  return {
    list: async (id, call) => ((await isOwnEntitlement(all, id, call)) ? history.list(id, call) : []),
  };
}

export function limitedMoves(moves: LicenseMoves): LicenseMoves {
  return {
    move: async (from, to, call) => {
      requireReach(call, from.seen.productId, from.next.productId);
      if ('entitlement' in to) requireOwnAddition(to.entitlement, call);
      else requireReach(call, to.seen.productId, to.next.productId);
      return moves.move(from, to, call);
    },
  };
}

function requireOwnAddition({ id, productId }: Entitlement, call: Call): void {
  requireReach(call, productId);
  if (call.products !== null && isIdAtStripe(id)) throw new Refusal('limited_key');
}

/** The product in a reference that `referenceKey` has written. */
function productIn(key: string): string {
  return key.slice(0, key.indexOf('/'));
}
