import type { Call } from '../../../../core/call.ts';
import { scopes, type AppKey } from '../../../../core/key/app/app-key.ts';
import type { IssuedKey } from '../../../../core/key/change-keys.ts';
import type { Product } from '../../../../core/product/products.port.ts';
import { Refusal } from '../../../../core/refusal.ts';
import { newAppKey } from '../../../administration/commands/key/key-members.ts';
import { html } from '../../markup/html.ts';
import { written } from '../display/parts.ts';
import { shownOncePage } from '../display/shown-once.ts';
import { shown, type ConsoleAnswer, type ConsoleRoute } from '../frame/console-page.ts';
import type { ConsoleParts } from '../frame/console-parts.ts';
import { formRoutes } from '../frame/form-routes.ts';
import { keyChanges } from '../keys/key-changes.ts';
import { newKeyMembers, tooEarly } from '../keys/key-forms.ts';
import { keyFacts } from '../keys/key-table.ts';
import { appKeyPath, crumbsTo, productPath } from './product-pages.ts';
import { productOf } from './product-routes.ts';

const members = newKeyMembers(newAppKey, scopes);

export function appKeyRoutes({ administration, newIds }: ConsoleParts): readonly ConsoleRoute[] {
  return formRoutes({
    name: 'IssueAppKey',
    path: productPath(':id', 'app-keys/issue'),
    access: 'admin:access',
    find: ({ call, parameters: { id = '' } }) => productOf(administration, id, call),
    asks: (product) => ({
      path: crumbsTo(product),
      here: 'New app key',
      title: 'Issue an app key',
      text: html`A server that has the key acts for <strong>${written(product.name)}</strong> within its scopes. It is
        shown once.`,
      button: 'Issue app key',
    }),
    back: ({ id }) => ({ href: productPath(id), text: 'Back to the product' }),
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

function readyPage(product: Product, { issued, key }: IssuedKey<AppKey>, here: string): ConsoleAnswer {
  return shown(
    shownOncePage({
      path: crumbsTo(product),
      here,
      heading: 'The app key is ready',
      label: 'App key',
      secret: key,
      advice: 'Only a digest of it is stored. If you lose it, rotate it.',
      facts: keyFacts(issued, [['Product', written(product.name)]]),
      back: productPath(product.id),
    }),
  );
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
    path: appKeyPath,
    find,
    findNew: administration.findAppKey,
    owner: ({ productId }, call) => productOf(administration, productId, call),
    crumbs: crumbsTo,
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
