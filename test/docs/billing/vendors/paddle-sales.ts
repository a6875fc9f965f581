import {
  adjustment,
  customer,
  sale,
  saleId,
  sales,
  signed,
  subscription,
  subscriptionId,
  subscriptions,
} from './paddle.ts';
import { apiAddress, type Paid, type SaleStep, type SaleStories } from './vendor.ts';

const bought: Paid = { id: saleId, paidAt: '2026-07-18T11:00:00.000Z', amount: 2900, kept: 2900 };
const second: Paid = { ...bought, id: 'txn_second', paidAt: '2026-07-18T11:30:00.000Z', amount: 2000, kept: 2000 };

const list = (query: string): string =>
  `/transactions?${query}&status=paid,completed&include=adjustments&order_by=created_at[ASC]&per_page=30`;
const ofSale = list(`id=${saleId}`);
const ofSubscription = list(`subscription_id=${subscriptionId}`);
const next = `${ofSubscription}&after=${saleId}`;
const page = (found: readonly unknown[], more: string | null = null) => ({
  data: found,
  meta: { pagination: { per_page: 30, next: `${apiAddress}${more ?? ofSale}`, has_more: more !== null } },
});

const times = { created_at: bought.paidAt, billed_at: bought.paidAt };
const totals = { subtotal: '3000', discount: '100', tax: '580', total: '3480', credit: '0', grand_total: '3480' };
const part = adjustment('refund', { type: 'partial', totals: { subtotal: '1450', tax: '290', total: '1740' } });
const all = { totals: { subtotal: '2900', tax: '580', total: '3480' } };
const full = adjustment('refund', all);
const harmless = [
  ...['credit', 'chargeback_reverse', 'chargeback_warning'].map((action) => adjustment(action, all)),
  adjustment('chargeback', { ...all, status: 'reversed' }),
  adjustment('refund', { ...all, status: 'pending_approval' }),
];

const completed = () => signed('transaction.completed', sale().data);
const adjusted = () => signed('adjustment.updated', part);

/** Paddle copies what the checkout was given to all transactions of a subscription. */
export const paddleSales: SaleStories = (via) => {
  const custom = { custom_data: via === null ? null : { latchkey_via: via } };
  const transaction = (changes: object, ...adjustments: readonly unknown[]) => ({
    ...sale(...adjustments).data,
    ...times,
    ...custom,
    details: { totals },
    ...changes,
  });
  const ofPurchase = (type: string, action: string, paid: readonly Paid[], ...own: readonly unknown[]): SaleStep => ({
    api: { [sales]: { data: transaction({}, ...own) }, [ofSale]: page([transaction({}, ...own)]) },
    delivery: () => signed(type, type.startsWith('adjustment') ? adjustment(action) : sale().data),
    paid,
  });
  const ofMember = { subscription_id: subscriptionId };
  const renewed = transaction({
    ...ofMember,
    id: second.id,
    created_at: second.paidAt,
    billed_at: second.paidAt,
    details: { totals: { ...totals, credit: '1080', grand_total: '2400' } },
  });
  const inEuro = transaction({ ...ofMember, id: 'txn_euro', currency_code: 'EUR', created_at: second.paidAt });
  const paidBy = (api: object, delivery: SaleStep['delivery'], paid: SaleStep['paid']): SaleStep => ({
    api: { [sales]: { data: transaction(ofMember) }, ...api },
    delivery,
    paid,
  });
  return [
    {
      title: 'a purchase with a chargeback, credits and refunds',
      steps: [
        ofPurchase('transaction.completed', '', [bought]),
        ofPurchase('adjustment.created', 'chargeback', [{ ...bought, kept: 0 }], adjustment('chargeback', all)),
        ofPurchase('adjustment.updated', 'chargeback_reverse', [bought], ...harmless),
        ofPurchase('adjustment.updated', 'refund', [{ ...bought, kept: 1450 }], ...harmless, part),
        ofPurchase('adjustment.updated', 'refund', [{ ...bought, kept: 0 }], ...harmless, part, full),
      ],
    },
    {
      title: 'a subscription that is paid after its delivery, renewed in part by credit, and refunded',
      steps: [
        {
          api: { ...customer, [subscriptions]: subscription(custom), [ofSubscription]: page([]) },
          delivery: () => signed('subscription.created', subscription().data),
          paid: null,
        },
        paidBy({ [ofSubscription]: page([transaction(ofMember)]) }, completed, [bought]),
        paidBy({ [ofSubscription]: page([transaction(ofMember)], next), [next]: page([inEuro, renewed]) }, completed, [
          bought,
          second,
        ]),
        paidBy({ [ofSubscription]: page([transaction(ofMember, part)], next) }, adjusted, [
          { ...bought, kept: 1450 },
          second,
        ]),
        paidBy({ [next]: page([inEuro, { ...renewed, adjustments: [full] }]) }, adjusted, [
          { ...bought, kept: 1450 },
          { ...second, kept: 0 },
        ]),
      ],
    },
  ];
};
