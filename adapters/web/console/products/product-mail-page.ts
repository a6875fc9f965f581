import { maxMailSubject, maxMailText, type ProductMail } from '../../../../core/product/product-mail.ts';
import type { Product } from '../../../../core/product/products.port.ts';
import { productMail } from '../../../administration/commands/product-commands.ts';
import { html } from '../../markup/html.ts';
import type { PageContent, PageView } from '../display/view.ts';
import { fieldList, type FormState } from '../form/fields.ts';
import { fieldsOf, may } from '../form/form-members.ts';
import { formPage } from '../form/form-page.ts';
import { seenField, type Seen } from '../form/seen.ts';
import { productPath, productsPath } from './product-pages.ts';

export const mailMembers = {
  mailKeys: may(productMail.mailKeys, { input: 'check' }),
  mailSubject: may(productMail.mailSubject, { maxLength: maxMailSubject, input: undefined }),
  mailText: may(productMail.mailText, { maxLength: maxMailText, input: 'lines', rows: 6 }),
  mailEnding: may(productMail.mailEnding, { input: 'check' }),
};

/** The mails of a product, by what its form calls the parts. */
export function seenMail({ mailKeys, mailSubject, mailText, mailEnding }: ProductMail): Seen {
  return {
    'Key by mail': mailKeys ? 'yes' : 'no',
    Subject: mailSubject ?? '',
    Text: mailText ?? '',
    'Mail before access ends': mailEnding ? 'yes' : 'no',
  };
}

/** The form that changes the mails of a product. */
export function productMailPage(view: PageView, product: Product, state: FormState): PageContent {
  const { id } = product;
  return formPage(view, {
    path: [
      { href: productsPath, text: 'Products' },
      { href: productPath(id), text: id },
    ],
    here: 'Mail',
    title: 'Mail of this product',
    text: 'Its buyers get it with their license key, and a notice before access ends, if the service sends mail.',
    action: productPath(id, 'mail'),
    fields: html`${seenField(seenMail(product))}${fieldList(fieldsOf(mailMembers), state)}`,
    button: 'Save mail',
    back: { href: productPath(id), text: 'Back to the product' },
  });
}
