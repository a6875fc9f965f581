import type { Administration } from '../../../../../core/administration/administration.ts';
import type { Call } from '../../../../../core/call.ts';
import type { Product } from '../../../../../core/product/products.port.ts';

/** The products that a field offers: more of them cannot be looked through. */
const maxProducts = 1000;

/** Lists the first products by id, in the order of their names. */
export async function chosenProducts(
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
