import type { Administration } from '../../../core/administration/administration.ts';
import type { PriceMapping } from '../../../core/billing/price-map.port.ts';
import type { Call } from '../../../core/call.ts';

/**
 * Finds the products that a person has to grant: those of a sale, apart from the one that is granted, that have no
 * entitlement with an id of the sale as its id or its reference. An entitlement that has ended was granted as well.
 */
export async function leftForPerson(
  { findEntitlement, listEntitlements }: Pick<Administration, 'findEntitlement' | 'listEntitlements'>,
  others: readonly PriceMapping[],
  ids: readonly (string | null)[],
  call: Call,
): Promise<readonly PriceMapping[]> {
  const known = new Set(ids.filter((id) => id !== null));
  const isGranted = async (productId: string): Promise<boolean> => {
    for (const reference of known) {
      if ((await findEntitlement(reference, call))?.productId === productId) return true;
      const filter = { productId, reference, status: null, endsBefore: null };
      const { items } = await listEntitlements(filter, { after: null, limit: 1 }, call);
      if (items.length > 0) return true;
    }
    return false;
  };
  const left: PriceMapping[] = [];
  for (const mapping of others) if (!(await isGranted(mapping.productId))) left.push(mapping);
  return left;
}
