import type { Product } from '../../../../../core/product/products.port.ts';
import { html } from '../../../markup/html.ts';
import { fieldList, type FilledForm } from '../../display/form-fields.ts';
import { crumbs } from '../../display/parts.ts';
import { hidden, postForm, type PageContent, type PageView } from '../../display/view.ts';
import { listPath } from '../state/names.ts';
import { grantFields } from './grant-form.ts';

/** The page that grants an entitlement. The id was made with the form, so that it grants once. */
export function grantPage(id: string, products: readonly Product[], form: FilledForm, view: PageView): PageContent {
  return {
    title: 'Grant an entitlement',
    main: html`<div class="confirm">
      ${crumbs([{ href: listPath, text: 'Entitlements' }], 'Grant')}
      <h1>Grant an entitlement</h1>
      <p class="muted">
        The buyer gets access and a license key, which is shown once on the next page. A grant charges nobody.
      </p>
      ${postForm(
        view,
        `${listPath}/grant`,
        html`${hidden('id', id)}${fieldList(grantFields(products), form)}
          <div class="buttons">
            <button class="button primary">Grant entitlement</button
            ><a class="button" href="${listPath}">Grant nothing</a>
          </div>`,
      )}
    </div>`,
  };
}
