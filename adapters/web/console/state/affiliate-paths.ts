import { idSegment } from '../frame/id-segment.ts';
import { entitlementPath } from './names.ts';

export const affiliatesPath = '/console/affiliates';
export const addAffiliatePath = `${affiliatesPath}/add`;

/** The path of the page of an affiliate, or of one of its changes. */
export function affiliatePath(handle: string, change = ''): string {
  return `${affiliatesPath}/${idSegment(handle)}${change === '' ? '' : `/${change}`}`;
}

/** The path of a change of a promotion; of a new one without a slug. */
export function promotionPath(handle: string, slug: string | null, change = ''): string {
  const promotions = affiliatePath(handle, 'promotions');
  return slug === null ? `${promotions}/add` : `${promotions}/${encodeURIComponent(idSegment(slug))}/${change}`;
}

/** The path of a change of the sale of an entitlement. */
export function salePath(entitlementId: string, change: 'void' | 'restore' | 'assign'): string {
  return `${entitlementPath(entitlementId)}/sale/${change}`;
}
