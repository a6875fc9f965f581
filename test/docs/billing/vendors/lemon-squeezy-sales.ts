import { invoice, order, signed, subscription } from './lemon-squeezy.ts';
import { secret, type Paid, type SaleStep, type SaleStories } from './vendor.ts';

const bought: Paid = { id: '5', paidAt: '2026-07-18T11:00:00.000000Z', amount: 990, kept: 990 };
const first: Paid = { ...bought, id: '9' };
const second: Paid = { ...bought, id: '10', paidAt: '2026-07-18T11:30:00.000000Z', amount: 999, kept: 999 };

const path = (page: number): string =>
  `/subscription-invoices?filter[subscription_id]=1&page[size]=100&page[number]=${page}`;
const page = (lastPage: number, ...invoices: readonly { readonly data: unknown }[]) => ({
  meta: { page: { currentPage: 1, lastPage, perPage: 100, total: invoices.length } },
  data: invoices.map(({ data }) => data),
});

const taxed = { total: 1188, tax: 198, created_at: first.paidAt };
const pending = invoice('pending', '8', { created_at: '2026-07-18T10:59:00.000000Z' });
const inEuro = invoice('paid', '11', { currency: 'EUR', created_at: '2026-07-18T11:40:00.000000Z' });
const ofSecond = (status: string) => invoice(status, '10', { created_at: second.paidAt });

/** Lemon Squeezy says in each delivery with what the checkout was made. */
export const lemonSqueezySales: SaleStories = (via) => {
  const custom = via === null ? undefined : { latchkey_via: via };
  const ofOrder = (name: string, status: string, changes: object, paid: readonly Paid[]): SaleStep => ({
    api: { '/orders/5': order(status, 18, { total: 1188, tax: 198, refunded_amount: 0, ...changes }) },
    delivery: () => signed(`order_${name}`, order('paid'), secret, custom),
    paid,
  });
  const ofInvoice = (name: string, status: string, api: object, paid: readonly Paid[]): SaleStep => ({
    api: { ...api },
    delivery: () => signed(`subscription_payment_${name}`, invoice(status), secret, custom),
    paid,
  });
  return [
    {
      title: 'an order that is refunded in part and in full',
      steps: [
        ofOrder('created', 'paid', {}, [bought]),
        ofOrder('refunded', 'partial_refund', { refunded_amount: 594 }, [{ ...bought, kept: 495 }]),
        ofOrder('refunded', 'refunded', { refunded_amount: 1188 }, [{ ...bought, kept: 0 }]),
      ],
    },
    {
      title: 'a subscription that is paid after its delivery, renewed, and whose payments are refunded',
      steps: [
        {
          api: { '/subscriptions/1': subscription(), [path(1)]: page(1, pending) },
          delivery: () => signed('subscription_created', subscription(), secret, custom),
          paid: null,
        },
        ofInvoice('success', 'paid', { [path(1)]: page(1, invoice('paid', '9', taxed), pending) }, [first]),
        ofInvoice(
          'success',
          'paid',
          { [path(1)]: page(2, inEuro, ofSecond('paid')), [path(2)]: page(2, invoice('paid', '9', taxed), pending) },
          [first, second],
        ),
        ofInvoice(
          'refunded',
          'partial_refund',
          { [path(2)]: page(2, invoice('partial_refund', '9', { ...taxed, refunded_amount: 594 })) },
          [{ ...first, kept: 495 }, second],
        ),
        ofInvoice('refunded', 'refunded', { [path(1)]: page(2, inEuro, ofSecond('refunded')) }, [
          { ...first, kept: 495 },
          { ...second, kept: 0 },
        ]),
      ],
    },
  ];
};
