import type { Administration } from '../../core/administration/administration.ts';
import type { PutSaleRequest } from '../../core/affiliate/selling/put-sale.ts';
import type { Call } from '../../core/call.ts';

/** The affiliate with a storefront, sales and statements. */
export const cleo = { email: 'cleo@example.com', handle: 'cleo', name: 'Cleo Marsh' } as const;

/** A promotion code of hers, as buyers type it. */
export const cleosCode = 'CLEO';

/** An affiliate who is to be paid for the first time. */
export const dora = { email: 'dora@example.com', handle: 'dora', name: 'Dora Quist' } as const;

/** Days after a payment at which its commission is due: few enough for those below to be due in their month. */
export const holdDays = 14;

/** Sales elsewhere, by the months before this one in which they were made. */
const sales: readonly (readonly [month: number, dayOfMonth: number, handle: 'cleo' | 'dora', cents: number])[] = [
  [2, 3, 'cleo', 9900],
  [2, 6, 'cleo', 2900],
  [2, 9, 'cleo', 19_900],
  [1, 2, 'cleo', 9900],
  [1, 4, 'cleo', 9900],
  [1, 5, 'dora', 4900],
  [1, 8, 'cleo', 2900],
  [1, 11, 'cleo', 19_900],
];

/**
 * Adds two affiliates and their sales since. The month before the last of @cleo is closed and paid; one of its sales
 * was returned after that.
 */
export async function addAffiliateHistory(administration: Administration, call: Call): Promise<void> {
  const at = (monthsBefore: number, dayOfMonth: number): Call => ({
    ...call,
    now: dayIn(call.now, monthsBefore, dayOfMonth),
  });
  const begun = at(3, 2);
  for (const affiliate of [cleo, dora]) await administration.addAffiliate(affiliate, begun);
  await administration.setAffiliate(
    cleo.handle,
    {
      ...cleo,
      about: 'I teach drawing and write about the tools that stay out of the way. I only list what I pay for myself.',
      url: null,
      payTo: 'PayPal: cleo@example.com',
    },
    begun,
  );
  const agreed = { commissionPercent: null, commissionFor: null, holdDays: null } as const;
  const promote = (handle: string, slug: string, codes: readonly string[]): Promise<unknown> =>
    administration.putPromotion({ handle, slug }, { ...agreed, codes }, begun);
  for (const slug of ['quiet-editor', 'metronome']) await promote('cleo', slug, []);
  await promote('cleo', 'sketchpad', [cleosCode.toLowerCase()]);
  await promote('dora', 'sketchpad', []);
  await sellIn(2, administration, at);
  const { closed } = await administration.closeStatements(
    { month: monthBefore(call.now, 2), productId: null, handle: null },
    at(1, 1),
  );
  const payment = { method: 'PayPal', reference: '7XK12345', at: null };
  for (const { id } of closed) await administration.payStatement(id, payment, at(1, 3));
  await sellIn(1, administration, at);
  const returned = saleOf(2, dayIn(call.now, 2, 9), 'cleo', 19_900);
  await administration.putSale(
    { ...returned, payments: returned.payments.map((paid) => ({ ...paid, kept: 0 })) },
    at(1, 12),
  );
}

async function sellIn(
  month: number,
  administration: Administration,
  at: (monthsBefore: number, dayOfMonth: number) => Call,
): Promise<void> {
  for (const [monthOfSale, dayOfMonth, handle, cents] of sales) {
    if (monthOfSale !== month) continue;
    const then = at(month, dayOfMonth);
    const sale = saleOf(month, then.now, handle, cents);
    const grant = {
      kind: 'one_time',
      productId: 'sketchpad',
      tierId: 'pro',
      tierName: 'Pro',
      standing: 'active',
      currentPeriodStart: null,
      reference: `invoice-${sale.payments[0]?.id ?? ''}`,
    } as const;
    await administration.grantEntitlement({ grant, id: sale.entitlementId, licenseKey: null }, then);
    await administration.putSale(sale, then);
  }
}

function saleOf(month: number, paidAt: Date, handle: string, cents: number): PutSaleRequest {
  const name = `${month}${String(paidAt.getUTCDate()).padStart(2, '0')}`;
  return {
    entitlementId: `ent_elsewhere_${name}`,
    handle,
    slug: 'sketchpad',
    currency: 'usd',
    attributedAt: null,
    payments: [{ id: name, paidAt, amount: cents, kept: cents }],
  };
}

/** The month that is `months` months before that of an instant. */
export function monthBefore(now: Date, months: number): string {
  return dayIn(now, months, 1).toISOString().slice(0, 7);
}

function dayIn(now: Date, monthsBefore: number, dayOfMonth: number): Date {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - monthsBefore, dayOfMonth, 10));
}
