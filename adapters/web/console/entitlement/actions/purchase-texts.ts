import type { EventType } from '../../../../../core/entitlement/event/event-type.ts';
import type { Purchase } from '../../../../../core/purchase/show-purchase.ts';
import { isForType } from '../../../../../core/webhook/webhook-endpoint.ts';
import { countOf } from '../../../markup/figures.ts';
import { html, type Html } from '../../../markup/html.ts';
import { mono, written } from '../../display/parts.ts';
import { productText } from '../../state/names.ts';

/** Whether a change of access is one of what Stripe charges, too. */
export function isSubscriptionAtStripe({ isSoldByStripe, entitlement: { id } }: Purchase): boolean {
  return isSoldByStripe && id.startsWith('sub_');
}

export function productName({ product, entitlement }: Purchase): Html {
  return written(productText(product, entitlement.productId));
}

export function opens(purchase: Purchase): Html {
  return html`${productName(purchase)} opens`;
}

/** "License ending in 7YQ4". */
export function licenseName(lastFour: string | null): Html {
  return lastFour === null ? html`The license` : html`License ending in ${mono(lastFour)}`;
}

/** Says how many webhook endpoints get the event of the change; nothing if none does. */
export function notified({ receivers }: Purchase, type: EventType): readonly Html[] {
  const amount = receivers.filter(({ endpoint }) => endpoint.state === 'enabled' && isForType(endpoint, type)).length;
  if (amount === 0) return [];
  return [html`${countOf(amount, 'webhook endpoint')} ${amount === 1 ? 'gets' : 'get'} the event ${mono(type)}.`];
}
