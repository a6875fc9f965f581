import type { Call } from '../../../../core/call.ts';
import { scopes, type AppKey } from '../../../../core/key/app/app-key.ts';
import type { IssuedKey } from '../../../../core/key/change-keys.ts';
import type { Product } from '../../../../core/product/products.port.ts';
import { Refusal } from '../../../../core/refusal.ts';
import { newAppKey } from '../../../administration/commands/key/key-members.ts';
import { html } from '../../markup/html.ts';
import { written, type Crumb } from '../display/parts.ts';
import { shownOncePage } from '../display/shown-once.ts';
import type { PageContent, PageView } from '../display/view.ts';
import { fieldList, type FormState } from '../form/fields.ts';
import { fieldsOf } from '../form/form-members.ts';
import { formPage } from '../form/form-page.ts';
import { shown, type ConsoleAnswer, type ConsoleRoute } from '../frame/console-page.ts';
import type { ConsoleParts } from '../frame/console-parts.ts';
import { formRoutes } from '../frame/form-routes.ts';
import { keyChanges } from '../keys/key-changes.ts';
import { newKeyMembers, tooEarly } from '../keys/key-forms.ts';
import { keyFacts } from '../keys/key-table.ts';
import { appKeyPath, productPath, productsPath } from './product-pages.ts';
import { productOf } from './product-routes.ts';

const issuePath = `${productsPath}/:id/app-keys/issue`;

const members = newKeyMembers(newAppKey, scopes);

export function appKeyRoutes({ administration, newIds }: ConsoleParts): readonly ConsoleRoute[] {
  return formRoutes({
    name: 'IssueAppKey',
    path: issuePath,
    access: 'admin:access',
    find: ({ call, parameters: { id = '' } }) => productOf(administration, id, call),
    page: ({ view }, product, state) => issuePage(view, product, state),
    proposes: () => ({ id: newIds.newAppKeyId(), scopes: scopes.join(' ') }),
    members,
    refusals: {
      app_key_exists: { member: 'id', problem: 'is that of another app key' },
      expiry_too_early: tooEarly,
    },
    act: async ({ expiresAt = null, ...terms }, product, { call }) => {
      const issued = await administration.issueAppKey({ ...terms, productId: product.id, expiresAt }, call);
      return readyPage(product, issued, 'New app key');
    },
  });
}

function issuePage(view: PageView, product: Product, state: FormState): PageContent {
  const back = { href: productPath(product.id), text: 'Back to the product' };
  return formPage(view, {
    path: pathOf(product),
    here: 'New app key',
    title: 'Issue an app key',
    text: html`A server that has the key acts for <strong>${written(product.name)}</strong> within its scopes. It is
      shown once.`,
    action: productPath(product.id, 'app-keys/issue'),
    fields: fieldList(fieldsOf(members), state),
    button: 'Issue app key',
    back,
  });
}

function readyPage(product: Product, { issued, key }: IssuedKey<AppKey>, here: string): ConsoleAnswer {
  return shown(
    shownOncePage({
      path: pathOf(product),
      here,
      heading: 'The app key is ready',
      label: 'App key',
      secret: key,
      advice: 'Only a digest of it is stored. If you lose it, rotate it.',
      facts: keyFacts(issued, [['Product', written(product.name)]]),
      more: null,
      back: productPath(product.id),
    }),
  );
}

function pathOf({ id, name }: Product): readonly Crumb[] {
  return [
    { href: productsPath, text: 'Products' },
    { href: productPath(id), text: name },
  ];
}

/** Rotations and revocations of app keys. */
export function appKeyChangeRoutes({ administration, newIds }: ConsoleParts): readonly ConsoleRoute[] {
  const find = async (id: string, call: Call): Promise<AppKey> => {
    const key = await administration.findAppKey(id, call);
    if (key === null) throw new Refusal('app_key_not_found');
    return key;
  };
  return keyChanges<AppKey, Product>({
    kind: 'AppKey',
    noun: 'app key',
    path: (change) => appKeyPath(':id', change),
    pathOf: ({ id }, change) => appKeyPath(id, change),
    find,
    findNew: administration.findAppKey,
    owner: ({ productId }, call) => productOf(administration, productId, call),
    crumbs: (product) => pathOf(product),
    back: ({ id }) => productPath(id),
    facts: (key, product) => keyFacts(key, [['Product', written(product.name)]]),
    victims: (_key, product) => html`Servers of ${written(product.name)} that use it`,
    rotate: administration.rotateAppKey,
    revoke: administration.revokeAppKey,
    ready: readyPage,
    exists: 'app_key_exists',
    ended: 'app_key_ended',
    newId: newIds.newAppKeyId,
  });
}
