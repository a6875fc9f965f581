import type { AppKey } from '../../../../core/key/app/app-key.ts';
import type { Page } from '../../../../core/paging/page.ts';
import type { Product } from '../../../../core/product/products.port.ts';
import { html, type Html } from '../../markup/html.ts';
import { textField, type FormState } from '../display/fields.ts';
import { dayOf, instant } from '../display/instants.ts';
import { pageLinks } from '../display/pages.ts';
import { crumbs, empty, facts, mono, written } from '../display/parts.ts';
import { seenField } from '../display/seen.ts';
import { table } from '../display/table.ts';
import { postForm, type PageContent, type PageView } from '../display/view.ts';
import { keyTable } from '../keys/key-table.ts';

export const productsPath = '/console/products';
export const addProductPath = `${productsPath}/add`;

/** What the page of a product says after a change. */
export const productDone = {
  added: 'The product was added.',
  renamed: 'The product was renamed.',
  revoked: 'The app key was revoked.',
};

/** The path of a product's page, or of one of its changes. */
export function productPath(id: string, change = ''): string {
  return `${productsPath}/${id}${change === '' ? '' : `/${change}`}`;
}

/** The path of a change of an app key. */
export function appKeyPath(id: string, change: 'rotate' | 'revoke'): string {
  return `/console/app-keys/${id}/${change}`;
}

/** The list of products. */
export function productListPage({ may }: PageView, { items, next }: Page<Product>, after: string | null): PageContent {
  const add = may('admin:access') ? { href: addProductPath, text: 'Add product' } : null;
  const isEmpty = items.length === 0 && after === null;
  return {
    title: 'Products and app keys',
    main: html`<div class="page">
      <div class="title">
        <div class="line">
          <h1>Products and app keys</h1>
          ${add === null || isEmpty ? null : html`<div class="buttons"><a class="button primary" href="${add.href}">${add.text}</a></div>`}
        </div>
      </div>
      ${
        isEmpty
          ? empty(
              'product',
              'No product yet',
              'A product is what you sell. Its servers sign in with app keys, and entitlements belong to it.',
              { link: add, command: 'latchkey product add --id sketchpad --name Sketchpad' },
            )
          : html`${productTable(items)} ${pageLinks(productsPath, new URLSearchParams(), after, next)}`
      }
    </div>`,
  };
}

function productTable(items: readonly Product[]): Html {
  return table(
    'Products, by id',
    [
      {
        heading: 'Product',
        cell: ({ id, name }) =>
          html`<a class="row" href="${productPath(id)}">${written(name)}</a><span class="sub mono">${id}</span>`,
      },
      { heading: 'Added', isMuted: true, cell: ({ createdAt }) => dayOf(createdAt) },
    ],
    items,
  );
}

/** One product, with its app keys. */
export function productPage(
  view: PageView,
  product: Product,
  { items, next }: Page<AppKey>,
  after: string | null,
  done: Html | null,
): PageContent {
  const { id, name, createdAt } = product;
  const mayChange = view.may('admin:access');
  const issue = { href: productPath(id, 'app-keys/issue'), text: 'Issue app key' };
  return {
    title: name,
    main: html`<div class="page">
      <div class="title">
        ${crumbs([{ href: productsPath, text: 'Products' }], id)}
        <div class="line">
          <h1>${written(name)}</h1>
          ${
            mayChange
              ? html`<div class="buttons">
                  <a class="button" href="${productPath(id, 'rename')}">Rename</a
                  ><a class="button primary" href="${issue.href}">${issue.text}</a>
                </div>`
              : null
          }
        </div>
      </div>
      ${done}
      ${facts(
        [
          ['Id', mono(id)],
          ['Added', instant(createdAt)],
        ],
        'boxed',
      )}
      <section class="section">
        <h2>App keys</h2>
        ${
          items.length === 0 && after === null
            ? empty(
                'key',
                'No app key yet',
                'With an app key, the servers of the product read and change its entitlements.',
                { link: mayChange ? issue : null, command: `latchkey key issue --product ${id}` },
              )
            : html`${keyTable({
                caption: 'App keys, the oldest first',
                keys: items,
                now: view.now,
                name: null,
                changePath: mayChange ? (key, change) => appKeyPath(key.id, change) : null,
              })}
              ${pageLinks(productPath(id), new URLSearchParams(), after, next)}`
        }
      </section>
    </div>`,
  };
}

/** The form that adds a product, or renames one. */
export function productFormPage(view: PageView, product: Product | null, state: FormState): PageContent {
  const title = product === null ? 'Add a product' : 'Rename this product?';
  const back = product === null ? productsPath : productPath(product.id);
  const path = [
    { href: productsPath, text: 'Products' },
    ...(product === null ? [] : [{ href: back, text: product.id }]),
  ];
  const idHint = 'Entitlements, app keys and your own servers name the product by it. It never changes.';
  return {
    title,
    main: html`<div class="confirm">
      ${crumbs(path, product === null ? 'Add' : 'Rename')}
      <h1>${title}</h1>
      ${
        product === null
          ? html`<p>Its servers can get app keys at once. Nothing else happens.</p>`
          : html`<p>Only people see the name. Its id, its keys and its entitlements stay as they are.</p>`
      }
      ${postForm(
        view,
        product === null ? addProductPath : productPath(product.id, 'rename'),
        html`${
            product === null
              ? textField(
                  state,
                  { name: 'id', label: 'Id', hint: idHint },
                  html` class="mono" maxlength="128" required autocomplete="off" spellcheck="false"`,
                )
              : seenField({ Name: product.name })
          }
          ${textField(state, { name: 'name', label: 'Name' }, html` maxlength="200" required dir="auto" autocomplete="off"`)}
          <div class="buttons">
            <button class="button primary">${product === null ? 'Add product' : 'Rename product'}</button
            ><a class="button" href="${back}">${product === null ? 'Back to the products' : 'Keep the name'}</a>
          </div>`,
      )}
    </div>`,
  };
}
