import { expect } from 'chai';
import type { Stripe } from 'stripe';
import type { StripeClient } from '../../../../adapters/stripe/client/create-stripe.ts';
import { readPeriods, type Periods } from '../../../../adapters/stripe/reading/periods.ts';
import { aCall } from '../../../support/builders.ts';
import { range } from '../../../support/range.ts';

interface Invoice extends Partial<
  Pick<Stripe.Invoice, 'status' | 'attempted' | 'billing_reason' | 'due_date' | 'period_end' | 'amount_due'>
> {
  readonly lines?: readonly object[];
}

/** The start of the period of the item. */
const now = 10_000;

/**
 * Reads from Stripe with these invoices, the newest first, each a renewal 100 seconds before the one before it. An invoice
 * shows its first line only.
 */
async function periods(...invoices: readonly Invoice[]): Promise<Periods> {
  const all = invoices.map((invoice, index) => ({
    id: `in_${index}`,
    attempted: true,
    billing_reason: 'subscription_cycle',
    due_date: null,
    amount_due: 900,
    period_end: now - index * 100,
    ...invoice,
    lines: { data: (invoice.lines ?? []).slice(0, 1), has_more: (invoice.lines ?? []).length > 1 },
  }));
  const list = async (page: Page): Promise<object> => pageOf(all, page);
  const listLineItems = async (id: string, page: Page): Promise<object> => {
    const lines = invoices[all.findIndex((each) => each.id === id)]?.lines ?? [];
    return pageOf(lines as { id: string }[], page);
  };
  const stripe = { invoices: { list, listLineItems } } as unknown as StripeClient;
  const subscription = { id: 'sub_1', latest_invoice: (all[0] ?? null) as Stripe.Invoice | null };
  return readPeriods(stripe, subscription, { id: 'si_1', current_period_start: now }, aCall());
}

interface Page {
  readonly limit: number;
  readonly starting_after?: string;
}

function pageOf(all: readonly { readonly id: string }[], { limit, starting_after: after }: Page): object {
  const from = after === undefined ? 0 : all.findIndex(({ id }) => id === after) + 1;
  return { data: all.slice(from, from + limit), has_more: all.length > from + limit };
}

async function unpaidSince(...invoices: readonly Invoice[]): Promise<number | null> {
  return (await periods(...invoices)).unpaidSince;
}

/** The place of the invoice that access rests on; null without one. */
async function paidOne(...invoices: readonly Invoice[]): Promise<number | null> {
  const { paid } = await periods(...invoices);
  return paid === null ? null : Number(paid.id.slice(3));
}

/** A line of an item: of its whole period from an instant on, or of the rest of one. */
function aLine(start: number, { item = 'si_1', proration = false, end = start + 1000 } = {}): object {
  const details = { proration, subscription_item: item };
  return { id: `il_${item}_${start}`, parent: { subscription_item_details: details }, period: { start, end } };
}

const upgrade = { billing_reason: 'subscription_update', lines: [aLine(now + 50, { proration: true })] } as const;
const newInterval = { billing_reason: 'subscription_update', lines: [aLine(now)] } as const;

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

describe('the invoice that access rests on', () => {
  const first = { ...paid, billing_reason: 'subscription_create' } as const;

  it('is the newest of a renewal or a new subscription that is paid', async () => {
    expect(await paidOne(paid, paid)).to.equal(0);
    expect(await paidOne(first)).to.equal(0);
    for (const status of ['open', 'draft', 'void', 'uncollectible', 'of_tomorrow'] as Stripe.Invoice.Status[])
      expect(await paidOne({ status }, { status }, paid, paid), status).to.equal(2);
    expect(await paidOne({ ...first, ...open })).to.equal(null);
    expect(await paidOne()).to.equal(null);
  });

  it('is the first one of a subscription that was begun before it was written', async () => {
    expect(await paidOne(upgrade, { ...first, period_end: now + 10 })).to.equal(1);
  });

  it('is none in the middle of a period, paid or not', async () => {
    for (const billing_reason of [
      'subscription_update',
      'subscription_threshold',
      'manual',
      'of_tomorrow',
      null,
    ] as const)
      for (const outcome of [open, paid]) {
        const middle = { ...upgrade, ...outcome, billing_reason };
        expect(await paidOne(middle, middle, paid), `${billing_reason}`).to.equal(2);
        expect(await paidOne(middle, open, middle, paid), `${billing_reason}`).to.equal(3);
      }
  });

  it('is that of an update which has begun the period, though its line is on a later page', async () => {
    const older = { ...paid, period_end: now - 40 };
    expect(await paidOne({ ...newInterval, ...paid }, older)).to.equal(0);
    const lines = [...range(120).map((at) => aLine(at, { item: 'si_2' })), aLine(now)];
    expect(await paidOne({ ...newInterval, ...paid, lines }, older)).to.equal(0);
    expect(await paidOne(upgrade, { ...newInterval, ...paid }, older)).to.equal(1);
    expect(await paidOne({ ...newInterval, ...open }, older)).to.equal(1);
    expect(await paidOne({ ...newInterval, ...paid })).to.equal(0);
  });

  it('is the first update of its period', async () => {
    const older = { ...paid, period_end: now - 40 };
    expect(await paidOne({ ...newInterval, ...paid }, { ...newInterval, ...paid }, older)).to.equal(1);
  });

  it('is not an update of a period that another invoice has opened', async () => {
    const ofPeriod = { period_end: now, lines: [aLine(now)] };
    expect(await paidOne({ ...newInterval, ...paid }, { ...paid, ...ofPeriod })).to.equal(1);
    expect(await paidOne({ ...newInterval, ...paid }, { ...open, ...ofPeriod }, paid)).to.equal(2);
  });

  it('is an update that has begun another period in the second in which the one before it began', async () => {
    const month = { period_end: now, lines: [aLine(now, { end: now + 100 })] };
    expect(await paidOne({ ...newInterval, ...paid }, { ...paid, ...month })).to.equal(0);
  });

  it('is not an update that has cost nothing, of another item, or for usage', async () => {
    const older = { ...paid, period_end: now - 40 };
    expect(await paidOne({ ...newInterval, ...paid, amount_due: 0 }, older)).to.equal(1);
    expect(await paidOne({ ...newInterval, ...paid, lines: [aLine(now, { item: 'si_2' })] }, older)).to.equal(1);
    expect(await paidOne({ ...newInterval, ...paid, billing_reason: 'subscription_threshold' }, older)).to.equal(1);
    expect(await paidOne({ ...newInterval, ...paid, lines: [aLine(now + 1)] }, older)).to.equal(1);
  });

  it('is a renewal that has cost nothing', async () => {
    expect(await paidOne({ ...paid, amount_due: 0 }, paid)).to.equal(0);
  });

  it('is no renewal of another item within the period', async () => {
    const addOn = { ...paid, period_end: now + 30 };
    expect(await paidOne(addOn, addOn, { ...paid, period_end: now })).to.equal(2);
  });
});

describe('an invoice in the middle of a period that is not paid', () => {
  it('leaves all periods paid', async () => {
    for (const middle of [
      { ...upgrade, ...open },
      { ...open, period_end: now + 30 },
    ]) {
      const found = await periods(middle, { ...paid, period_end: now });
      expect(found).to.deep.include({ unpaidSince: null, isMiddleUnpaid: true });
    }
  });

  it('hides no period that is unpaid, and ends none', async () => {
    expect(await unpaidSince({ ...upgrade, ...open }, { ...open, period_end: now }, paid)).to.equal(now);
    expect(await unpaidSince({ ...upgrade, ...paid }, { ...open, period_end: now }, paid)).to.equal(now);
    expect(await unpaidSince({ ...newInterval, ...open }, { ...paid, period_end: now - 40 })).to.equal(now);
  });
});
