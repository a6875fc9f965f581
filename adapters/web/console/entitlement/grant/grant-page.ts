import type { Product } from '../../../../../core/product/products.port.ts';
import { html } from '../../../markup/html.ts';
import { hidden, type PageContent, type PageView } from '../../display/view.ts';
import { fieldList, type FormState } from '../../form/fields.ts';
import { formPage } from '../../form/form-page.ts';
import { listPath } from '../../state/names.ts';
import { grantFields } from './grant-form.ts';

/** The page that grants an entitlement. The id was made with the form, so that it grants once. */
export function grantPage(id: string, products: readonly Product[], form: FormState, view: PageView): PageContent {
  return formPage(view, {
    path: [{ href: listPath, text: 'Entitlements' }],
    here: 'Grant',
    title: 'Grant an entitlement',
    text: 'The buyer gets access and a license key, which is shown once on the next page. A grant charges nobody.',
    action: `${listPath}/grant`,
    fields: html`${hidden('id', id)}${fieldList(grantFields(products), form)}`,
    button: 'Grant entitlement',
    back: { href: listPath, text: 'Grant nothing' },
  });
}
