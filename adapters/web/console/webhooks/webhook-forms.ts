import type { Product } from '../../../../core/product/products.port.ts';
import { webhookTypes } from '../../../../core/webhook/webhook-endpoint.ts';
import { newWebhook, skipped } from '../../../administration/commands/webhook/webhook-members.ts';
import type { Crumb } from '../display/parts.ts';
import { webhookNames } from '../events/event-names.ts';
import { may, must } from '../form/form-members.ts';
import { productChoices } from '../products/product-choices.ts';
import { webhookPath, webhooksPath } from './webhook-list-page.ts';

export const webhooksCrumb: Crumb = { href: webhooksPath, text: 'Webhooks' };

/** The path to a page about an endpoint. */
export function pathTo(id: string): readonly Crumb[] {
  return [webhooksCrumb, { href: webhookPath(id), text: id }];
}

/** The way back from a form about an endpoint. */
export function backTo(id: string): Crumb {
  return { href: webhookPath(id), text: 'Back to the endpoint' };
}

const allProducts = ['', 'All products'] as const;

/** The fields of a new endpoint. A limited key adds none for all products. */
export function addMembers(products: readonly Product[], chosen = '', isLimited = false) {
  const several = webhookTypes.map((type) => [type, webhookNames[type]] as const);
  return {
    url: must(newWebhook.url),
    productId: may(newWebhook.productId, {
      input: { one: [...(isLimited ? [] : [allProducts]), ...productChoices(products, chosen)] },
    }),
    types: may(newWebhook.types, { input: { several } }),
    id: must(newWebhook.id),
  };
}

/** The fields that say which events are left out. */
export function skipMembers(productIds: readonly string[]) {
  return {
    productId: must(skipped.productId, { input: { one: productIds.map((id) => [id, id] as const) } }),
    entitlementId: may(skipped.entitlementId, { maxLength: 128 }),
    to: may(skipped.to),
  };
}
