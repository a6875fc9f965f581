import type { Administration } from '../../../../core/administration/administration.ts';
import type { Call } from '../../../../core/call.ts';
import type { ProductMail } from '../../../../core/product/product-mail.ts';
import type { Product, ProductLinks } from '../../../../core/product/products.port.ts';
import { areEqual } from '../../../../core/product/put-product.ts';
import { requireUnlimited } from '../../../../core/reach.ts';
import { Refusal } from '../../../../core/refusal.ts';
import { html } from '../../markup/html.ts';
import { pageIn } from '../display/paging.ts';
import { mono, statusLine } from '../display/parts.ts';
import { pictureRemarks } from '../form/picture-remarks.ts';
import { goTo, shown, type ConsoleRoute } from '../frame/console-page.ts';
import type { ConsoleParts } from '../frame/console-parts.ts';
import { formRoutes, isRefusal } from '../frame/form-routes.ts';
import { mailMembers, productMailPage, seenMail } from './product-mail-page.ts';
import {
  addProductPage,
  addProductPath,
  linkMembers,
  productDone,
  productLinksPage,
  productListPage,
  productMembers,
  productPage,
  productPath,
  productsPath,
  renameMembers,
  renameProductPage,
  seenLinks,
} from './product-pages.ts';

const one = `${productsPath}/:id`;

/** Trials on the page of a product. */
const shownTrials = 10;

/** Finds a product. Refuses with `product_not_found`. */
export async function productOf({ findProduct }: Administration, id: string, call: Call): Promise<Product> {
  const product = await findProduct(id, call);
  if (product === null) throw new Refusal('product_not_found');
  return product;
}

export function productRoutes({ administration, imageHosts }: ConsoleParts): readonly ConsoleRoute[] {
  const { listProducts, listAppKeys } = administration;
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
        const tiers = await Array.fromAsync(administration.everyTier(id, () => call));
        const keys = await listAppKeys(id, part, call);
        const filter = { productId: id, entitlementId: null };
        const trials = await administration.listTrials(filter, { after: null, limit: shownTrials }, call);
        const parts = { tiers, keys, trials, imageHosts };
        return shown(productPage(view, product, parts, part.after, statusLine(query, productDone)));
      },
    },
    ...addRoutes(administration),
    ...renameRoutes(administration),
    ...linkRoutes(administration, imageHosts),
    ...mailRoutes(administration),
  ];
}

function addRoutes({ addProduct, findProduct }: Administration): readonly ConsoleRoute[] {
  return formRoutes({
    name: 'AddProduct',
    path: addProductPath,
    access: 'admin:access',
    find: async ({ call }) => requireUnlimited(call),
    page: ({ view }, _none, state) => addProductPage(view, state),
    members: productMembers,
    refusals: { product_exists: { member: 'id', problem: 'is that of another product' } },
    act: async ({ id, name }, _none, { call }) => {
      try {
        await addProduct(id, name, call);
      } catch (cause) {
        const isRepeated = isRefusal(cause, 'product_exists') && (await findProduct(id, call))?.name === name;
        if (!isRepeated) throw cause;
      }
      return goTo(productPath(id), 'added');
    },
  });
}

function renameRoutes(administration: Administration): readonly ConsoleRoute[] {
  return formRoutes({
    name: 'RenameProduct',
    path: `${one}/rename`,
    access: 'admin:access',
    find: ({ call, parameters: { id = '' } }) => productOf(administration, id, call),
    page: ({ view }, product, state) => renameProductPage(view, product, state),
    proposes: ({ name }) => ({ name }),
    members: renameMembers,
    seen: ({ id, name }) => ({ now: { Name: name }, intent: html`rename ${mono(id)}.`, back: productPath(id) }),
    isDone: ({ name }, product) => product.name === name,
    act: async ({ name }, product, { call }) => {
      await administration.changeProduct(product, { name }, call);
      return goTo(productPath(product.id), 'renamed');
    },
  });
}

function linkRoutes(administration: Administration, imageHosts: readonly string[]): readonly ConsoleRoute[] {
  return formRoutes({
    name: 'SetProductLinks',
    path: `${one}/links`,
    access: 'admin:access',
    find: ({ call, parameters: { id = '' } }) => productOf(administration, id, call),
    page: ({ view }, product, state) =>
      productLinksPage(view, product, { ...state, remarks: pictureRemarks(state.typed, imageHosts) }),
    proposes: ({ downloadUrl, supportUrl, accountUrl, activateUrl, iconUrl }) => ({
      downloadUrl: downloadUrl ?? '',
      supportUrl: supportUrl ?? '',
      accountUrl: accountUrl ?? '',
      activateUrl: activateUrl ?? '',
      iconUrl: iconUrl ?? '',
    }),
    members: linkMembers,
    seen: (product) => ({
      now: seenLinks(product),
      intent: html`change the links and the icon of ${mono(product.id)}.`,
      back: productPath(product.id),
    }),
    isDone: (given, product) => areEqual(product, { ...product, ...linksIn(given) }),
    act: async (given, product, { call }) => {
      await administration.changeProduct(product, linksIn(given), call);
      return goTo(productPath(product.id), 'linked');
    },
  });
}

/** The links and the icon in the form: what is left blank is removed. */
function linksIn({
  downloadUrl = null,
  supportUrl = null,
  accountUrl = null,
  activateUrl = null,
  iconUrl = null,
}: Partial<ProductLinks>): ProductLinks {
  return { downloadUrl, supportUrl, accountUrl, activateUrl, iconUrl };
}

function mailRoutes(administration: Administration): readonly ConsoleRoute[] {
  return formRoutes({
    name: 'SetProductMail',
    path: `${one}/mail`,
    access: 'admin:access',
    find: ({ call, parameters: { id = '' } }) => productOf(administration, id, call),
    page: ({ view }, product, state) => productMailPage(view, product, state),
    proposes: ({ mailKeys, mailSubject, mailText, mailEnding }) => ({
      mailKeys: String(mailKeys),
      mailSubject: mailSubject ?? '',
      mailText: mailText ?? '',
      mailEnding: String(mailEnding),
    }),
    members: mailMembers,
    seen: (product) => ({
      now: seenMail(product),
      intent: html`change the mail of ${mono(product.id)}.`,
      back: productPath(product.id),
    }),
    isDone: (given, product) => areEqual(product, { ...product, ...mailIn(given) }),
    act: async (given, product, { call }) => {
      await administration.changeProduct(product, mailIn(given), call);
      return goTo(productPath(product.id), 'mail');
    },
  });
}

/** The texts of the mail in the form: a box that is not checked is not sent. */
function mailIn({
  mailKeys = false,
  mailSubject = null,
  mailText = null,
  mailEnding = false,
}: Partial<ProductMail>): ProductMail {
  return { mailKeys, mailSubject, mailText, mailEnding };
}
