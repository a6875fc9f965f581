import { everySale, listSales, restoreSale, showSale, voidSale } from '../../affiliate/selling/manage-sales.ts';
import { assignSale, putSale } from '../../affiliate/selling/put-sale.ts';
import { isSoldByStripe } from '../../billing/sold-by-stripe.ts';
import { ofProducts } from '../../tenant/limits.ts';
import type { Parts } from './parts.ts';

/** The sales that affiliates have brought. */
export function salesOf({ ports, platform: { digest, newEventId } }: Pick<Parts, 'ports' | 'platform'>) {
  const { affiliates, allEntitlements: entitlements, priceMap, promotions, sales } = ports;
  const parts = { affiliates, entitlements, promotions, sales, isSold: isSoldByStripe(priceMap), digest, newEventId };
  return ofProducts({
    showSale: showSale(sales),
    findSale: sales.find.bind(sales),
    listSales: listSales(sales),
    everySale: everySale(sales),
    putSale: putSale(parts),
    voidSale: voidSale(sales),
    restoreSale: restoreSale(sales),
    assignSale: assignSale(parts),
  });
}
