import { eventTypes } from '../../../../core/entitlement/event/event-type.ts';
import type { Product } from '../../../../core/product/products.port.ts';
import { html, type Html } from '../../markup/html.ts';
import { checkFields, selectField, textField, type FormState } from '../display/fields.ts';
import { crumbs, type Crumb } from '../display/parts.ts';
import { hidden, postForm, type PageContent, type PageView } from '../display/view.ts';
import { eventNames } from '../events/event-names.ts';
import { addWebhookPath, webhookPath, webhooksPath } from './webhook-list-page.ts';

const list: Crumb = { href: webhooksPath, text: 'Webhooks' };

/** The path to a page about an endpoint. */
export function pathTo(id: string): readonly Crumb[] {
  return [list, { href: webhookPath(id), text: id }];
}

/** The form that adds an endpoint. */
export function addWebhookPage(view: PageView, state: FormState, products: readonly Product[]): PageContent {
  const plain = html` class="mono" required autocomplete="off" spellcheck="false"`;
  const choices = products.map(({ id, name }) => [id, name === id ? id : `${name} (${id})`] as const);
  const types = eventTypes.map((type) => [type, eventNames[type]] as const);
  return {
    title: 'Add an endpoint',
    main: html`<div class="confirm">
      ${crumbs([list], 'Add')}
      <h1>Add an endpoint</h1>
      <p>It gets every event from now on, signed with a secret that is shown once.</p>
      ${postForm(
        view,
        addWebhookPath,
        html`${textField(state, { name: 'url', label: 'URL', hint: 'http or https, without user name and fragment.' }, plain)}
          ${selectField(state, { name: 'productId', label: 'Product' }, [['', 'All products'], ...choices])}
          ${checkFields(state, { name: 'types', label: 'Events', hint: 'None ticked: events of all types.' }, types)}
          ${textField(state, { name: 'id', label: 'Id', hint: 'Names the endpoint in lists and in the log.' }, plain)}
          <div class="buttons">
            <button class="button primary">Add endpoint</button
            ><a class="button" href="${webhooksPath}">Back to the webhooks</a>
          </div>`,
      )}
    </div>`,
  };
}

/** What a form about one endpoint asks. */
export interface WebhookForm {
  readonly id: string;
  readonly here: string;
  readonly title: string;
  readonly text: Html;
  readonly change: string;
  readonly fields: Html;
  readonly button: string;
}

export function webhookFormPage(
  view: PageView,
  { id, here, title, text, change, fields, button }: WebhookForm,
): PageContent {
  return {
    title,
    main: html`<div class="confirm">
      ${crumbs(pathTo(id), here)}
      <h1>${title}</h1>
      <p>${text}</p>
      ${postForm(
        view,
        webhookPath(id, change),
        html`${fields}
          <div class="buttons">
            <button class="button primary">${button}</button
            ><a class="button" href="${webhookPath(id)}">Back to the endpoint</a>
          </div>`,
      )}
    </div>`,
  };
}

/** The fields that say which events are left out. */
export function skipFields(state: FormState, productIds: readonly string[]): Html {
  const entitlement = {
    name: 'entitlementId',
    label: 'Entitlement',
    hint: 'Only the events of this one that were tried before. Empty: the events of every entitlement.',
  };
  const choices = productIds.map((id) => [id, id] as const);
  return html`${hidden('step', 'ask')} ${selectField(state, { name: 'productId', label: 'Product' }, choices)}
  ${textField(state, entitlement, html` class="mono" maxlength="128" autocomplete="off" spellcheck="false"`)}`;
}
