import { charge, members, ofSale, ping, renewalId, renewals, sale, saleId, sales, subscriber } from './gumroad.ts';
import type { Paid, SaleStep, SaleStories } from './vendor.ts';

const bought: Paid = { id: 'gumroad_FO8TXN-dbxYaBdahG97Y-Q', paidAt: '2026-07-18T11:00:00Z', amount: 3100, kept: 3100 };
const first: Paid = { ...bought, id: 'gumroad_A-m3CDDC5dlrSdKZp0RFhA', paidAt: '2026-07-18T11:30:00Z' };
const second: Paid = { ...bought, id: 'gumroad_second', paidAt: '2026-07-18T11:45:00Z', amount: 2900, kept: 2900 };

const ofFirst = (changes: object = {}) =>
  charge({ id: renewalId, recurring_charge: true, created_at: first.paidAt, ...changes });
const ofSecond = (changes: object = {}) =>
  charge({ id: 'second', recurring_charge: true, created_at: second.paidAt, price: 2900, ...changes });
const inPart = { partially_refunded: true, amount_refundable_in_currency: '1,034.50' };
const inEuro = { formatted_total_price: '€2,069 a month' };
const member = (...ids: readonly string[]) =>
  subscriber({ purchase_ids: [saleId, ...ids], free_trial_ends_at: '2026-07-25T11:00:00Z' });

/** Gumroad says `via` in the ping of the sale alone. */
export const gumroadSales: SaleStories = (via) => {
  const begun = { sale_id: saleId, ...(via === null ? {} : { 'url_params[via]': via }) };
  const step = (changes: object, resource: string, paid: SaleStep['paid']): SaleStep => ({
    api: { [sales]: sale({ ...inEuro, ...changes }) },
    delivery: ofSale(resource),
    paid,
  });
  return [
    {
      title: 'a purchase in another currency, in a dispute that is won, and refunded in part and in full',
      steps: [
        { api: { [sales]: sale(inEuro) }, delivery: () => ping(begun), paid: [bought] },
        step({ disputed: true }, 'dispute', [{ ...bought, kept: 0 }]),
        step({ disputed: true, dispute_won: true }, 'dispute_won', [bought]),
        step(inPart, 'refund', [{ ...bought, kept: 1550 }]),
        step({ ...inPart, refunded: true }, 'refund', [{ ...bought, kept: 0 }]),
      ],
    },
    {
      title: 'a membership with a trial, which is renewed, and whose charges are refunded',
      steps: [
        { api: { [sales]: charge(), [members]: member() }, delivery: () => ping(begun), paid: [] },
        {
          api: { [renewals]: ofFirst(), [members]: member(renewalId) },
          delivery: ofSale(undefined, renewalId),
          paid: [first],
        },
        {
          api: { '/sales/second': ofSecond(), [members]: member(renewalId, 'second') },
          delivery: ofSale(undefined, 'second'),
          paid: [first, second],
        },
        {
          api: { [renewals]: ofFirst({ ...inEuro, ...inPart }) },
          delivery: ofSale('refund', renewalId),
          paid: [{ ...first, kept: 1550 }, second],
        },
        {
          api: { '/sales/second': ofSecond({ refunded: true }) },
          delivery: ofSale('refund', 'second'),
          paid: [
            { ...first, kept: 1550 },
            { ...second, kept: 0 },
          ],
        },
      ],
    },
  ];
};
