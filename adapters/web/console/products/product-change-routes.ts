import type { Administration } from '../../../../core/administration/administration.ts';
import { maxMailSubject, maxMailText, type ProductMail } from '../../../../core/product/product-mail.ts';
import type { Product, ProductLinks } from '../../../../core/product/products.port.ts';
import { areEqual } from '../../../../core/product/put-product.ts';
import { requireUnlimited } from '../../../../core/reach.ts';
import { newProduct, productLinks, productMail } from '../../../administration/commands/product-commands.ts';
import { html } from '../../markup/html.ts';
import { mono, type Crumb } from '../display/parts.ts';
import { labelledValuesOf, may, must, valuesOf } from '../form/form-members.ts';
import { pictureRemarks } from '../form/picture-remarks.ts';
import type { Seen } from '../form/seen.ts';
import { goTo, type ConsoleRoute } from '../frame/console-page.ts';
import type { ConsoleParts } from '../frame/console-parts.ts';
import { formRoutes, isRefusal } from '../frame/form-routes.ts';
import { addProductPath, productPath, productsPath } from './product-pages.ts';
import { productOf } from './product-routes.ts';

const productsCrumb = { href: productsPath, text: 'Products' };

/** The pages that add a product, and change it. */
export function productChangeRoutes({ administration, imageHosts }: ConsoleParts): readonly ConsoleRoute[] {
  return [
    ...addRoutes(administration),
    ...renameRoutes(administration),
    ...linkRoutes(administration, imageHosts),
    ...mailRoutes(administration),
  ];
}

function path({ id }: Product): readonly Crumb[] {
  return [productsCrumb, { href: productPath(id), text: id }];
}

function backTo({ id }: Product): Crumb {
  return { href: productPath(id), text: 'Back to the product' };
}

function addRoutes({ addProduct, findProduct }: Administration): readonly ConsoleRoute[] {
  return formRoutes({
    name: 'AddProduct',
    path: addProductPath,
    access: 'admin:access',
    find: async ({ call }) => requireUnlimited(call),
    asks: () => ({
      path: [productsCrumb],
      here: 'Add',
      title: 'Add a product',
      text: 'Its servers can get app keys at once. Nothing else happens.',
      button: 'Add product',
    }),
    back: () => ({ href: productsPath, text: 'Back to the products' }),
    members: { id: must(newProduct.id, { maxLength: 128 }), name: must(newProduct.name) },
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
    path: productPath(':id', 'rename'),
    access: 'admin:access',
    find: ({ call, parameters: { id = '' } }) => productOf(administration, id, call),
    asks: (product) => ({
      path: path(product),
      here: 'Rename',
      title: 'Rename this product?',
      text: 'Only people see the name. Its id, its keys and its entitlements stay as they are.',
      button: 'Rename product',
    }),
    back: ({ id }) => ({ href: productPath(id), text: 'Keep the name' }),
    proposes: ({ name }) => ({ name }),
    members: { name: must(newProduct.name) },
    seen: ({ id, name }) => ({ now: { Name: name }, intent: html`rename ${mono(id)}.` }),
    isDone: ({ name }, product) => product.name === name,
    act: async ({ name }, product, { call }) => {
      await administration.changeProduct(product, { name }, call);
      return goTo(productPath(product.id), 'renamed');
    },
  });
}

const linkMembers = {
  downloadUrl: may(productLinks.downloadUrl, { input: 'url', maxLength: 2048 }),
  supportUrl: may(productLinks.supportUrl, { input: 'url', maxLength: 2048 }),
  accountUrl: may(productLinks.accountUrl, { input: 'url', maxLength: 2048 }),
  activateUrl: may(productLinks.activateUrl, { input: undefined, maxLength: 500 }),
  iconUrl: may(productLinks.iconUrl, { input: 'url', maxLength: 2048 }),
};

function linkRoutes(administration: Administration, imageHosts: readonly string[]): readonly ConsoleRoute[] {
  return formRoutes({
    name: 'SetProductLinks',
    path: productPath(':id', 'links'),
    access: 'admin:access',
    find: ({ call, parameters: { id = '' } }) => productOf(administration, id, call),
    asks: (product, _request, typed) => ({
      path: path(product),
      here: 'Links',
      title: 'Links and icon of this product',
      text: 'Its buyers are shown them, beside their license key.',
      remarks: pictureRemarks(typed, imageHosts),
      button: 'Save links and icon',
    }),
    back: backTo,
    proposes: (product) => valuesOf(linkMembers, product),
    members: linkMembers,
    seen: (product) => ({
      now: labelledValuesOf(linkMembers, product),
      intent: html`change the links and the icon of ${mono(product.id)}.`,
    }),
    isDone: (given, product) => areEqual(product, { ...product, ...linksIn(given) }),
    act: async (given, product, { call }) => {
      await administration.changeProduct(product, linksIn(given), call);
      return goTo(productPath(product.id), 'linked');
    },
  });
}

/** The links and the icon in the form. Blank ones are removed. */
function linksIn({
  downloadUrl = null,
  supportUrl = null,
  accountUrl = null,
  activateUrl = null,
  iconUrl = null,
}: Partial<ProductLinks>): ProductLinks {
  return { downloadUrl, supportUrl, accountUrl, activateUrl, iconUrl };
}

const mailMembers = {
  mailKeys: may(productMail.mailKeys, { input: 'check' }),
  mailSubject: may(productMail.mailSubject, { maxLength: maxMailSubject, input: undefined }),
  mailText: may(productMail.mailText, { maxLength: maxMailText, input: 'lines', rows: 6 }),
  mailEnding: may(productMail.mailEnding, { input: 'check' }),
};

/** The mails of a product, by what its form calls the parts. */
function seenMail({ mailKeys, mailSubject, mailText, mailEnding }: ProductMail): Seen {
  return {
    'Key by mail': mailKeys ? 'yes' : 'no',
    Subject: mailSubject ?? '',
    Text: mailText ?? '',
    'Mail before access ends': mailEnding ? 'yes' : 'no',
  };
}

function mailRoutes(administration: Administration): readonly ConsoleRoute[] {
  return formRoutes({
    name: 'SetProductMail',
    path: productPath(':id', 'mail'),
    access: 'admin:access',
    find: ({ call, parameters: { id = '' } }) => productOf(administration, id, call),
    asks: (product) => ({
      path: path(product),
      here: 'Mail',
      title: 'Mail of this product',
      text: 'Its buyers get it with their license key, and a notice before access ends, if the service sends mail.',
      button: 'Save mail',
    }),
    back: backTo,
    proposes: (product) => valuesOf(mailMembers, product),
    members: mailMembers,
    seen: (product) => ({ now: seenMail(product), intent: html`change the mail of ${mono(product.id)}.` }),
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
