import type { Administration } from '../../../../core/administration/administration.ts';
import type { Call } from '../../../../core/call.ts';
import type { Product } from '../../../../core/product/products.port.ts';
import { Refusal } from '../../../../core/refusal.ts';
import { pageIn } from '../display/paging.ts';
import { statusLine } from '../display/parts.ts';
import { shown, type ConsoleRoute } from '../frame/console-page.ts';
import type { ConsoleParts } from '../frame/console-parts.ts';
import { productDone, productListPage, productPage, productPath, productsPath } from './product-pages.ts';

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
      path: productPath(':id'),
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
  ];
}
