import type { Sale } from '../../../core/affiliate/sale/sale.ts';
import type { FakeStripe } from '../../../testing/index.ts';

const withdrawing: readonly unknown[] = ['needs_response', 'lost', 'prevented'];

/**
 * The payments of a subscription or purchase without taxes, with the amounts that are kept, by the facts of the shop.
 */
export function keptPaymentsOf(shop: FakeStripe, id: string): Sale['payments'] {
  const { customer } = shop.object(id);
  const ids = (type: string): ReadonlySet<string> =>
    new Set(shop.events.filter((event) => event.type === type).map(({ data }) => String(data.object['id'])));
  const disputes = [...ids('charge.dispute.created')].map((dispute) => shop.object(dispute));
  return [...ids('charge.succeeded')]
    .map((charge) => shop.object(charge))
    .filter((charge) => charge['customer'] === customer)
    .map((charge) => {
      const own = disputes.filter(
        (dispute) => dispute['charge'] === charge['id'] && withdrawing.includes(dispute['status']),
      );
      const withdrawn = own.reduce((sum, { amount }) => sum + Number(amount), 0);
      const amount = Number(charge['amount']);
      const kept = Math.max(0, amount - Number(charge['amount_refunded']) - withdrawn);
      return { id: String(charge['id']), paidAt: new Date(Number(charge['created']) * 1000), amount, kept };
    })
    .toSorted((a, b) => Number(a.paidAt) - Number(b.paidAt) || (a.id < b.id ? -1 : 1));
}
