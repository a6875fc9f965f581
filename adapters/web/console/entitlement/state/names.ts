import type { Product } from '../../../../../core/product/products.port.ts';
import { idSegment } from '../../frame/id-segment.ts';

export const listPath = '/console/entitlements';

/** The address of the page of an entitlement. */
export function entitlementPath(id: string): string {
  return `${listPath}/${idSegment(id)}`;
}

/** The name of a product; its id if it is unknown. */
export function productText(product: Product | null, productId: string): string {
  return product?.name ?? productId;
}
