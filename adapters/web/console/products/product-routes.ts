import type { Administration } from '../../../../core/administration/administration.ts';
import type { Call } from '../../../../core/call.ts';
import { identifierRule } from '../../../../core/identifier.ts';
import { displayNameRule } from '../../../../core/parsing/value-rule.ts';
import type { Product } from '../../../../core/product/products.port.ts';
import { Refusal } from '../../../../core/refusal.ts';
import { html } from '../../markup/html.ts';
import { pageIn } from '../display/paging.ts';
import { mono, statusLine } from '../display/parts.ts';
import { mistakesIn, proposed, readForm, typedIn } from '../form/form-reading.ts';
import { isStale } from '../form/seen.ts';
import { changedSince } from '../frame/changed-meanwhile.ts';
import { goTo, shown, wrongForm, type ConsoleRoute } from '../frame/console-page.ts';
import type { ConsoleParts } from '../frame/console-parts.ts';
import {
  addProductPage,
  addProductPath,
  productDone,
  productFields,
  productListPage,
  productNameField,
  productPage,
  productPath,
  productsPath,
  renameProductPage,
} from './product-pages.ts';

const addRules = { id: identifierRule, name: displayNameRule };

const one = `${productsPath}/:id`;

/** Finds a product. Refuses with `product_not_found`. */
export async function productOf({ findProduct }: Administration, id: string, call: Call): Promise<Product> {
  const product = await findProduct(id, call);
  if (product === null) throw new Refusal('product_not_found');
  return product;
}

export function productRoutes({ administration }: ConsoleParts): readonly ConsoleRoute[] {
  const { listProducts, listAppKeys, putProduct, findProduct } = administration;
  return [
    {
      id: 'consoleProducts',
      method: 'GET',
      path: productsPath,
      access: 'admin:read',
      handle: async ({ call, query, view }) => {
        const part = pageIn(query);
        return shown(productListPage(view, await listProducts(part, call), part.after));
      },
    },
    {
      id: 'consoleProduct',
      method: 'GET',
      path: one,
      access: 'admin:read',
      handle: async ({ call, parameters: { id = '' }, query, view }) => {
        const part = pageIn(query);
        const product = await productOf(administration, id, call);
        return shown(
          productPage(view, product, await listAppKeys(id, part, call), part.after, statusLine(query, productDone)),
        );
      },
    },
    {
      id: 'consoleAddProductForm',
      method: 'GET',
      path: addProductPath,
      access: 'admin:access',
      handle: async ({ view }) => shown(addProductPage(view, proposed({}))),
    },
    {
      id: 'consoleAddProduct',
      method: 'POST',
      path: addProductPath,
      access: 'admin:access',
      handle: async ({ call, form, view }) => {
        const reading = readForm(productFields, addRules, ['id', 'name'], form);
        if (reading.kind === 'wrong') return wrongForm(addProductPage(view, typedIn(form, reading.mistakes)));
        const { id, name } = reading.values;
        const known = await findProduct(id, call);
        if (known !== null && known.name !== name) {
          const mistakes = mistakesIn(productFields, [{ member: 'id', problem: 'is that of another product' }]);
          return wrongForm(addProductPage(view, typedIn(form, mistakes)));
        }
        await putProduct(id, name, call);
        return goTo(productPath(id), 'added');
      },
    },
    ...renameRoutes(administration),
  ];
}

function renameRoutes(administration: Administration): readonly ConsoleRoute[] {
  const { putProduct } = administration;
  const path = `${one}/rename`;
  return [
    {
      id: 'consoleRenameProductForm',
      method: 'GET',
      path,
      access: 'admin:access',
      handle: async ({ call, parameters: { id = '' }, view }) => {
        const product = await productOf(administration, id, call);
        return shown(renameProductPage(view, product, proposed({ name: product.name })));
      },
    },
    {
      id: 'consoleRenameProduct',
      method: 'POST',
      path,
      access: 'admin:access',
      handle: async ({ call, form, parameters: { id = '' }, view }) => {
        const product = await productOf(administration, id, call);
        const reading = readForm([productNameField], { name: displayNameRule }, ['name'], form);
        if (reading.kind === 'wrong')
          return wrongForm(renameProductPage(view, product, typedIn(form, reading.mistakes)));
        const { name } = reading.values;
        const now = { Name: product.name };
        if (product.name !== name && isStale(form, now)) {
          return changedSince(form, now, { intent: html`rename ${mono(id)}.`, back: productPath(id) }, call);
        }
        await putProduct(id, name, call);
        return goTo(productPath(id), 'renamed');
      },
    },
  ];
}
