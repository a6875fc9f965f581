import type { SaleEvent } from '../../../../core/affiliate/sale/sale-event.ts';
import { unknownCurrency } from '../../../../core/affiliate/sale/sale.ts';

/** A sale as its event shows it. */
export function soldView(sale: SaleEvent['sale']): object {
  const { id, productId, handle, slug, by, attributedAt, terms, currency } = sale;
  return {
    id,
    productId,
    handle,
    slug,
    by,
    attributedAt: attributedAt.toISOString(),
    terms: { ...terms, commissionPercent: terms.commissionPercent / 100 },
    currency: currency === unknownCurrency ? null : currency,
  };
}
