import { consolePages } from '../../support/web/console-operations.ts';
import { otherStatements, owed, type Shop } from './shop.ts';

/** The value of a parameter of a path, by the folder before it. */
function things(shop: Shop): Readonly<Record<string, string>> {
  return {
    entitlements: 'ent_demo',
    listings: 'quiet-editor',
    products: 'sketchpad',
    'app-keys': shop.appKeyId,
    webhooks: 'whk_broken',
    operators: 'opk_demo',
    devices: shop.device,
    tiers: 'pro',
    trials: shop.trial,
    affiliates: 'cleo',
    promotions: 'ledgerline',
    statements: owed.id,
  };
}

/** Pages that need an object in another state than the others. */
const others: Readonly<Record<string, string>> = {
  '/console/entitlements/:id/resume': '/console/entitlements/ent_sale_2/resume',
  '/console/entitlements/:id/reinstate': '/console/entitlements/ent_suspended/reinstate',
  '/console/entitlements/:id/sale/void': '/console/entitlements/ent_sale_2/sale/void',
  '/console/entitlements/:id/sale/restore': '/console/entitlements/ent_past_due/sale/restore',
  '/console/affiliates/:handle/erase': '/console/affiliates/dora/erase',
  '/console/affiliates/:handle/promotions/:slug/end': '/console/affiliates/cleo/promotions/quiet-editor/end',
  '/console/*': '/console/no-such-page',
};

/** States that the table of routes does not name. */
const states = [
  '/console/entitlements?state=revoked',
  '/console/entitlements?product=sketchpad&reference=unknown',
  '/console/entitlements/ent_sale_1',
  '/console/entitlements/ent_sale_2',
  '/console/entitlements/ent_sale_2/sale/assign',
  '/console/entitlements/ent_past_due',
  '/console/entitlements/ent_suspended',
  '/console/entitlements/ent_revoked',
  '/console/entitlements/ent_one_time',
  '/console/entitlements/ent_unknown',
  '/console/events?product=sketchpad',
  '/console/webhooks/whk_demo',
  '/console/affiliates?state=asks',
  '/console/affiliates?handle=nobody',
  '/console/affiliates/dora',
  '/console/statements?state=to_pay&handle=cleo',
  '/console/statements?handle=nobody',
  ...otherStatements.map(({ id }) => `/console/statements/${id}`),
];

/** An address of every page of the console that a browser can open, from the table of its routes, and of their states. */
export function everyPage(shop: Shop): readonly string[] {
  return [...everyRoute(shop), ...states];
}

/** An address of each route of the console that a browser can open. */
export function everyRoute(shop: Shop): readonly string[] {
  const known = things(shop);
  return consolePages
    .filter(({ method, path }) => method === 'GET' && !path.endsWith('.csv'))
    .map(
      ({ path }) =>
        others[path] ??
        path.replaceAll(/(?<folder>[a-z-]+)\/:\w+/g, (_, folder: string) => `${folder}/${known[folder]}`),
    );
}
