import type { Administration } from '../../../../core/administration/administration.ts';
import type { Call } from '../../../../core/call.ts';
import { compareCodePoints } from '../../../../core/code-points.ts';
import type { Product } from '../../../../core/product/products.port.ts';
import type { Choice } from '../form/fields.ts';

/** The products that a field offers: more of them cannot be looked through. */
const maxProducts = 1000;

/** Lists the first products by id, in the order of their names. */
export async function offeredProducts(
  { everyProduct }: Pick<Administration, 'everyProduct'>,
  call: Call,
): Promise<readonly Product[]> {
  const found: Product[] = [];
  for await (const product of everyProduct(() => call)) {
    found.push(product);
    if (found.length === maxProducts) break;
  }
  return found.toSorted((a, b) => a.name.localeCompare(b.name, 'en'));
}

/** The most tiers that a field proposes. */
const maxTiers = 1000;

/**
 * The ids of the tiers that are declared or that prices sell, of every product or of one, each once and in code-point
 * order. A key that is limited to products is proposed none of prices: they are those of the owner's account at Stripe.
 */
export async function offeredTiers(
  { allTiers, everyPrice }: Pick<Administration, 'allTiers' | 'everyPrice'>,
  productId: string | null,
  call: Call,
): Promise<readonly string[]> {
  const isAsked = (each: { readonly productId: string }): boolean => productId === null || each.productId === productId;
  const found = new Set((await allTiers(call)).filter(isAsked).map(({ id }) => id));
  if (call.products === null) {
    for await (const price of everyPrice(() => call)) {
      if (isAsked(price)) found.add(price.tierId);
      if (found.size >= maxTiers) break;
    }
  }
  return [...found].toSorted(compareCodePoints).slice(0, maxTiers);
}

/** The choices of a field for a product. One that was chosen before is among them, offered or not. */
export function productChoices(products: readonly Product[], chosen = ''): readonly Choice[] {
  const choices = products.map(({ id, name }): Choice => [id, name === id ? id : `${name} (${id})`]);
  const isKnown = chosen === '' || products.some(({ id }) => id === chosen);
  return isKnown ? choices : [...choices, [chosen, chosen]];
}
