import * as fc from 'fast-check';
import { digest } from '../../../adapters/crypto/node-secrets.ts';
import type { Affiliate } from '../../../core/affiliate/affiliate.ts';
import type { Promotion } from '../../../core/affiliate/promotion.ts';
import { saleId, type Payment, type Sale } from '../../../core/affiliate/sale/sale.ts';
import type { Terms, TermsVersion } from '../../../core/affiliate/sale/terms.ts';
import { statementEvent } from '../../../core/affiliate/statement/statement-event.ts';
import { statementId, type Statement } from '../../../core/affiliate/statement/statement.ts';
import type { CommissionFor } from '../../../core/catalog/page-members.ts';
import type { StorePorts } from '../../../core/store/store.port.ts';
import { aCall, day, later, noon } from '../builders.ts';

export const thirty: Terms = { commissionPercent: 3000, commissionFor: 'lifetime', holdDays: 30 };

export function aVersion(overrides: Partial<Terms & Pick<TermsVersion, 'from'>> = {}): TermsVersion {
  return { from: later(-day), by: 'operator:opk_1', ...thirty, ...overrides };
}

export function aPayment(overrides: Partial<Payment> = {}): Payment {
  const payment = { id: 'ch_1', paidAt: noon, amount: 900, kept: 900, ...overrides };
  return { ...payment, kept: Math.min(payment.amount, payment.kept) };
}

/** The members of a sale that name the statement with its first line. */
export function inStatement(stated: number, statedUntil: Date): Pick<Sale, 'stated' | 'statements' | 'statedUntil'> {
  return { stated, statements: 1, statedUntil };
}

/** A sale of @ada, which waits for its first look. */
export function aSale(overrides: Partial<Sale> = {}): Sale {
  const { entitlementId = 'sub_1' } = overrides;
  return {
    entitlementId,
    id: saleId(entitlementId, digest),
    productId: 'prod_1',
    handle: 'ada',
    slug: 'sketchpad',
    by: 'link',
    attributedAt: noon,
    terms: thirty,
    currency: 'usd',
    payments: [],
    confirmedAt: noon,
    voided: null,
    stated: 0,
    statements: 0,
    statedUntil: null,
    revision: 1,
    ...overrides,
  };
}

export const anyTerms: fc.Arbitrary<Terms> = fc.record({
  commissionPercent: fc.integer({ min: 0, max: 10_000 }),
  commissionFor: fc.constantFrom<CommissionFor>('first_payment', 'lifetime', 1, 2, 12),
  holdDays: fc.constantFrom(0, 14, 30, 180),
});

/** Payments in the days after noon, some in one instant, some of nothing. */
export const anyPayments: fc.Arbitrary<readonly Payment[]> = fc.uniqueArray(
  fc
    .record({
      id: fc.integer({ min: 1, max: 99 }).map((number) => `ch_${number}`),
      paidAt: fc.integer({ min: 0, max: 120 }).map((days) => later(days * day)),
      amount: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 20_000 }), fc.integer({ min: 1, max: 2 ** 42 })),
      kept: fc.integer({ min: 0, max: 20_000 }),
    })
    .map(aPayment),
  { selector: ({ id }) => id, maxLength: 8 },
);

export const anySale: fc.Arbitrary<Sale> = fc
  .record({
    terms: anyTerms,
    payments: anyPayments,
    confirmedAt: fc.option(fc.integer({ min: 0, max: 400 }).map((days) => later(days * day))),
    closed: fc.option(fc.record({ stated: fc.constantFrom(0, 100, 270), days: fc.nat(150) })),
    isVoid: fc.boolean(),
  })
  .map(({ isVoid, closed, ...facts }) =>
    aSale({
      ...facts,
      ...(closed !== null && inStatement(closed.stated, later(closed.days * day))),
      voided: isVoid ? { at: noon, by: 'operator:opk_1', reason: 'own_purchase' } : null,
    }),
  );

export function anAffiliate(overrides: Partial<Affiliate> = {}): Affiliate {
  const { handle = 'ada' } = overrides;
  return {
    handle,
    name: 'Ada',
    email: `${handle}@example.com`,
    about: null,
    url: null,
    payTo: null,
    state: 'active',
    createdAt: noon,
    revision: 1,
    ...overrides,
  };
}

/** A live promotion of @ada. */
export function aPromotion(overrides: Partial<Promotion> = {}): Promotion {
  return {
    handle: 'ada',
    slug: 'sketchpad',
    productId: 'prod_1',
    state: 'live',
    codes: [],
    terms: [aVersion()],
    askedAt: noon,
    revision: 1,
    ...overrides,
  };
}

/** The first statement of @ada, of November 2026, which nobody has paid. */
export function aStatement(overrides: Partial<Statement> = {}): Statement {
  const { productId = 'prod_1', handle = 'ada', currency = 'usd', number = 1 } = overrides;
  return {
    productId,
    handle,
    currency,
    id: statementId({ productId, handle, currency, number }, digest),
    number,
    month: '2026-11',
    closedAt: new Date('2026-12-05T10:00:00Z'),
    by: 'operator:opk_1',
    lineCount: 1,
    opening: 0,
    total: 270,
    balance: 270,
    paid: null,
    revision: 1,
    ...overrides,
  };
}

/** Stores a statement with a line of a sale of its own. */
export async function addStatement(
  { sales, statements }: Pick<StorePorts, 'sales' | 'statements'>,
  statement: Statement,
): Promise<void> {
  const call = aCall();
  const { productId, handle, currency } = statement;
  const sale = aSale({ entitlementId: `of ${statement.id}`, productId, handle, currency });
  await sales.replace(null, sale, null, call);
  const line = { sale: sale.id, from: 0, to: statement.total };
  await statements.add(
    { statement, lines: [line] },
    statementEvent(statement, call, () => `evt_${statement.id}`),
    call,
  );
}
