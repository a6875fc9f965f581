import type { Product } from '../../../../core/product/products.port.ts';
import type { Crumb } from '../display/parts.ts';
import { idSegment } from '../frame/id-segment.ts';

export const listPath = '/console/entitlements';

/** The address of the page of an entitlement. */
export function entitlementPath(id: string): string {
  return `${listPath}/${idSegment(id)}`;
}

/** The way from the list of entitlements to one of them. */
export function crumbsTo(id: string): readonly Crumb[] {
  return [
    { href: listPath, text: 'Entitlements' },
    { href: entitlementPath(id), text: id },
  ];
}

/** The name of a product; its id if it is unknown. */
export function productText(product: Product | null, productId: string): string {
  return product?.name ?? productId;
}
