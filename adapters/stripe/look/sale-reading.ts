import { withPayments } from '../../../core/affiliate/sale/decide-sale.ts';
import { maxPayments, unknownCurrency, type Payment, type Sale } from '../../../core/affiliate/sale/sale.ts';
import { firstCurrency, type Charged } from '../reading/charged.ts';

/** The sale of an affiliate, and its payments as Stripe has them. */
export interface SaleReading {
  /** As it was stored before Stripe was read; null for one that begins with this look. */
  readonly seen: Sale | null;
  /** The stored one, or the one that begins. */
  readonly sale: Sale;
  readonly charged: readonly Charged[];
}

/** Decides what becomes of the sale: the seen one itself if nothing is to be written. */
export function decideSale(reading: SaleReading, readAt: Date): Sale {
  const next = withPayments({ ...reading.sale, currency: currencyOf(reading) }, ofSale(reading), readAt);
  if (next.revision === reading.seen?.revision) return reading.seen;
  return reading.seen === null ? { ...next, revision: 1 } : next;
}

/** The payments that earn nothing: in another currency than the sale's, or more than a sale has. */
export function leftOut(reading: SaleReading): { readonly otherCurrency: number; readonly tooMany: number } {
  const payments = ofSale(reading).length;
  return { otherCurrency: reading.charged.length - payments, tooMany: Math.max(0, payments - maxPayments) };
}

function ofSale(reading: SaleReading): readonly Payment[] {
  const currency = currencyOf(reading);
  return reading.charged.filter((each) => each.currency === currency).map(({ payment }) => payment);
}

/** That of the first payment if none was known before. */
function currencyOf({ sale, charged }: SaleReading): string {
  return sale.currency === unknownCurrency ? firstCurrency(charged, unknownCurrency) : sale.currency;
}
