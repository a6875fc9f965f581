import type { Call } from '../call.ts';
import type { Entitlement } from '../entitlement/entitlement.ts';

/** The call of a buyer who may change an entitlement: nothing of another product. */
export function buyersCall(call: Call, { productId }: Pick<Entitlement, 'productId'>): Call {
  return { ...call, by: 'buyer', products: new Set([productId]) };
}
