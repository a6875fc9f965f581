import { expect } from 'chai';
import type { Stripe } from 'stripe';
import type { StripeClient } from '../../../../adapters/stripe/client/create-stripe.ts';
import { readUnpaidSince } from '../../../../adapters/stripe/reading/unpaid-since.ts';
import { aCall } from '../../../support/builders.ts';
import { range } from '../../../support/range.ts';

type Invoice = Partial<Pick<Stripe.Invoice, 'status' | 'attempted' | 'billing_reason' | 'due_date'>>;

/** Reads from Stripe with these invoices, the newest first, each a period of 100 seconds before the one before it. */
async function unpaidSince(...invoices: readonly Invoice[]): Promise<number | null> {
  const all = invoices.map((invoice, index) => ({
    id: `in_${index}`,
    attempted: true,
    billing_reason: 'subscription_cycle',
    due_date: null,
    period_end: 10_000 - index * 100,
    ...invoice,
  }));
  const list = async ({
    limit,
    starting_after: after,
  }: {
    limit: number;
    starting_after?: string;
  }): Promise<object> => {
    const from = after === undefined ? 0 : all.findIndex(({ id }) => id === after) + 1;
    return { data: all.slice(from, from + limit), has_more: all.length > from + limit };
  };
  return readUnpaidSince({ invoices: { list } } as unknown as StripeClient, 'sub_1', aCall());
}

const [open, paid] = [{ status: 'open' }, { status: 'paid' }] as const;

describe('the first unpaid period', () => {
  it('is that of the first invoice after the last one that was paid', async () => {
    expect(await unpaidSince(open, paid)).to.equal(10_000);
    expect(await unpaidSince(open, open, open, paid, open, open)).to.equal(9800);
    expect(await unpaidSince(open, open)).to.equal(9900);
  });

  it('counts from the day on which an invoice that is sent to the buyer is due', async () => {
    const sent = { ...open, attempted: false };
    expect(await unpaidSince({ ...sent, due_date: 10_030 }, { ...sent, due_date: 9930 }, paid)).to.equal(9930);
    expect(await unpaidSince({ ...sent, due_date: 10_000 - 1 }, paid)).to.equal(10_000);
  });

  it('does not exist where the latest invoice is paid, and without an invoice', async () => {
    expect(await unpaidSince(paid, open)).to.equal(null);
    expect(await unpaidSince()).to.equal(null);
  });

  it('is found on later pages of invoices', async () => {
    expect(await unpaidSince(...range(250).map(() => open), paid, open)).to.equal(10_000 - 249 * 100);
  });

  const uncollectible = { status: 'uncollectible' } as const;
  const cases: Readonly<Record<string, readonly [Invoice, since: number]>> = {
    'one that was given up after it was tried counts': [uncollectible, 9900],
    'one with a status of tomorrow counts': [{ status: 'of_tomorrow' }, 9900],
    'one that was never tried, as while collection is paused, does not': [
      { ...uncollectible, attempted: false },
      10_000,
    ],
    'a draft does not': [{ status: 'draft' }, 10_000],
    'a void one does not': [{ status: 'void' }, 10_000],
    'one by hand does not': [{ ...open, billing_reason: 'manual' }, 10_000],
    'one by hand that is paid does not end the unpaid periods': [{ ...paid, billing_reason: 'manual' }, 10_000],
  };
  for (const [title, [invoice, since]] of Object.entries(cases)) {
    it(`of the invoices before it: ${title}`, async () => {
      expect(await unpaidSince(open, invoice, paid)).to.equal(since);
      expect(await unpaidSince(open, invoice, open, paid)).to.equal(9800);
    });
  }
});
