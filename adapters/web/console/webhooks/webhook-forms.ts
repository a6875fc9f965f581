import type { Product } from '../../../../core/product/products.port.ts';
import { webhookTypes } from '../../../../core/webhook/webhook-endpoint.ts';
import { newWebhook, skipped } from '../../../administration/commands/webhook/webhook-members.ts';
import type { Html } from '../../markup/html.ts';
import type { Crumb } from '../display/parts.ts';
import type { PageContent, PageView } from '../display/view.ts';
import { webhookNames } from '../events/event-names.ts';
import { fieldList, type FormState } from '../form/fields.ts';
import { fieldsOf, may, must } from '../form/form-members.ts';
import { formPage } from '../form/form-page.ts';
import { productChoices } from '../products/product-choices.ts';
import { addWebhookPath, webhookPath, webhooksPath } from './webhook-list-page.ts';

const list: Crumb = { href: webhooksPath, text: 'Webhooks' };

/** The path to a page about an endpoint. */
export function pathTo(id: string): readonly Crumb[] {
  return [list, { href: webhookPath(id), text: id }];
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

/** The form that adds an endpoint. */
export function addWebhookPage(view: PageView, state: FormState, products: readonly Product[]): PageContent {
  return formPage(view, {
    path: [list],
    here: 'Add',
    title: 'Add an endpoint',
    text: 'It gets every event from now on, signed with a secret that is shown once.',
    action: addWebhookPath,
    fields: fieldList(fieldsOf(addMembers(products, state.typed('productId'), view.isLimited)), state),
    button: 'Add endpoint',
    back: { href: webhooksPath, text: 'Back to the webhooks' },
  });
}

/** A form about one endpoint. */
export interface WebhookForm {
  readonly here: string;
  readonly title: string;
  readonly text: Html;
  /** The last part of its path. */
  readonly change: string;
  readonly fields: Html;
  readonly button: string;
}

export function webhookFormPage(view: PageView, id: string, { change, ...form }: WebhookForm): PageContent {
  const back = { href: webhookPath(id), text: 'Back to the endpoint' };
  return formPage(view, { ...form, path: pathTo(id), action: webhookPath(id, change), back });
}

/** The fields that say which events are left out. */
export function skipMembers(productIds: readonly string[]) {
  return {
    productId: must(skipped.productId, { input: { one: productIds.map((id) => [id, id] as const) } }),
    entitlementId: may(skipped.entitlementId, { maxLength: 128 }),
    to: may(skipped.to),
  };
}
