import { handlePattern, handleRule } from '../../../core/affiliate/affiliate.ts';
import { maxPayments, saleSources, unknownCurrency } from '../../../core/affiliate/sale/sale.ts';
import type { ChangedSale } from '../../../core/affiliate/selling/manage-sales.ts';
import type { ShownSale } from '../../../core/affiliate/selling/shown-sale.ts';
import {
  currencyPattern,
  currencyRule,
  paymentRule,
  paymentsRule,
} from '../../../core/affiliate/selling/written-payments.ts';
import { identifierRule } from '../../../core/identifier.ts';
import { instantRule } from '../../../core/parsing/instant.ts';
import { displayNameRule } from '../../../core/parsing/value-rule.ts';
import { command, list, type Command, type CommandGroup } from '../declaration/command.ts';
import { optional, required, subject } from '../declaration/member.ts';
import {
  count,
  described,
  enumOf,
  instant,
  listOf,
  named,
  nullableInstant,
  objectOf,
  orNull,
  text,
  writtenInstant,
} from '../declaration/schema-parts.ts';
import { only } from '../declaration/view.ts';

const handleSchema = { type: 'string', minLength: 3, maxLength: 30, pattern: handlePattern };
const currencySchema = { type: 'string', pattern: currencyPattern };

const id = subject('<id>', 'the id of the entitlement');

const handle = { ...required('--handle <handle>', 'the affiliate', handleRule), schema: handleSchema };

const slug = {
  ...optional('--slug <slug>', 'the listing that was promoted', identifierRule),
  docs: 'The slug of the listing that was promoted. Without it, that of the promotion that was agreed first, of those of the product.',
};

/** The members of a change, which forms ask for as well. */
export const voidMembers = { reason: required('--reason <text>', 'why, in one line', displayNameRule) };
export const assignMembers = { handle, slug };

const currency = {
  ...required('--currency <code>', 'three lowercase letters, such as usd', currencyRule),
  schema: currencySchema,
};

/** A sale as lists show it, without its payments. */
function summaryOf(sale: ShownSale) {
  const members = [
    'entitlementId',
    'id',
    'productId',
    'handle',
    'slug',
    'by',
    'attributedAt',
    'confirmedAt',
    'voided',
    'commission',
    'due',
    'waiting',
    'stated',
    'revision',
  ] as const;
  const { commissionPercent, commissionFor, holdDays } = sale.terms;
  return {
    ...only(sale, members),
    terms: { commissionPercent: commissionPercent / 100, commissionFor, holdDays },
    currency: sale.currency === unknownCurrency ? null : sale.currency,
  };
}

const paymentMembers = ['id', 'paidAt', 'amount', 'kept'] as const;

function view(sale: ShownSale) {
  const payments = sale.payments.map((payment) => only(payment, paymentMembers));
  return { ...summaryOf(sale), payments };
}

/** A line of the table. */
function row(sale: ShownSale) {
  return { ...summaryOf(sale), voided: sale.voided === null ? null : sale.voided.reason };
}

/**
 * The facts of a change for the log. They do not contain the id of the checkout session, because it opens the license
 * key.
 */
function logged({ sale: { id: saleId, productId, handle: of, revision } }: { readonly sale: ShownSale }) {
  return { saleId, productId, handle: of, revision };
}

function loggedChange(answer: ChangedSale) {
  return answer.changed ? logged(answer) : null;
}

/** The outcome of a command about one sale. People are shown a line for each term, and a table of the payments. */
function outcomeOf(sale: ShownSale) {
  const data = view(sale);
  const { terms, voided, payments, ...facts } = data;
  return {
    data,
    facts: {
      ...facts,
      ...terms,
      voidedAt: voided?.at ?? null,
      voidedBy: voided?.by ?? null,
      voidedReason: voided?.reason ?? null,
      payments,
    },
    table: { member: 'payments', columns: paymentMembers },
    entitlementId: sale.entitlementId,
  };
}

const put = command({
  verb: 'put',
  does: 'say which affiliate has brought a sale that was not made at Stripe, and all of its payments',
  operation: {
    id: 'putSale',
    route: 'PUT /admin/entitlements/:id/sale',
    access: 'admin:affiliates',
    summary: 'Say which affiliate has brought a sale, and what was paid.',
    description:
      'Of a sale that was not made at Stripe, the whole of it, after its entitlement. First, it is given to the affiliate, with the terms in force at `attributedAt`. Again, it replaces the payments; a payment that is left out counts as given back. Equal ones change nothing. No instant may be later than now.',
    request: {
      schema: 'SaleRequest',
      example: {
        handle: 'ada',
        currency: 'usd',
        payments: [{ id: 'ch_1', paidAt: '2026-07-02T10:00:00Z', amount: 4900, kept: 4900 }],
      },
    },
    answer: { schema: 'SaleAnswer', description: 'The sale, which was known.', created: 'The new sale.' },
    bodyLimit: 256 * 1024,
    refusals: [
      'entitlement_not_found',
      'affiliate_not_found',
      'promotion_not_found',
      'managed_by_stripe',
      'sale_attributed',
      'changed_meanwhile',
    ],
  },
  members: {
    id,
    handle,
    slug,
    currency,
    attributedAt: {
      ...optional('--attributed-at <instant>', 'when the checkout began (default: at the first payment)', instantRule),
      schema: writtenInstant,
      docs: 'When the checkout began, which decides the terms. Without it, the instant of the first payment.',
    },
    payments: {
      ...required('--payment <payment>', 'a payment, repeatable: ID,PAID-AT,AMOUNT,KEPT', paymentsRule),
      isRequired: 'in requests' as const,
      otherwise: [],
      each: paymentRule,
      gather: (payments: Parameters<typeof paymentsRule.read>[0]) => payments as never,
      schema: { ...listOf(named('Payment')), maxItems: maxPayments },
      docs: 'All payments of the sale.',
    },
  },
  log: { putSale: (answer) => (answer.outcome === 'unchanged' ? null : logged(answer)) },
  run: async ({ putSale }, { id: entitlementId, ...request }, call) => {
    const { sale, outcome } = await putSale({ entitlementId, ...request }, call);
    return { ...outcomeOf(sale), isNew: outcome === 'added' };
  },
});

const changes: readonly Command[] = [
  command({
    verb: 'void',
    does: 'let a sale earn nothing, such as for fraud',
    operation: {
      id: 'voidSale',
      route: 'POST /admin/entitlements/:id/sale/void',
      access: 'admin:affiliates',
      summary: 'Let a sale earn nothing.',
      description:
        'What was stated of it is a negative line of the next statement. One that is void keeps its first reason.',
      request: { schema: 'SaleVoidRequest', example: { reason: 'The card was stolen.' } },
      answer: { schema: 'SaleAnswer', description: 'The sale.' },
      refusals: ['sale_not_found', 'changed_meanwhile'],
    },
    members: { id, ...voidMembers },
    log: { voidSale: loggedChange },
    run: async ({ voidSale }, values, call) => outcomeOf((await voidSale(values.id, values.reason, call)).sale),
  }),
  command({
    verb: 'restore',
    does: 'let a void sale earn again',
    operation: {
      id: 'restoreSale',
      route: 'POST /admin/entitlements/:id/sale/restore',
      access: 'admin:affiliates',
      summary: 'Let a void sale earn again.',
      description: 'Repeating it changes nothing.',
      answer: { schema: 'SaleAnswer', description: 'The sale.' },
      refusals: ['sale_not_found', 'changed_meanwhile'],
    },
    members: { id },
    log: { restoreSale: loggedChange },
    run: async ({ restoreSale }, values, call) => outcomeOf((await restoreSale(values.id, call)).sale),
  }),
  command({
    verb: 'assign',
    does: 'give a sale to an affiliate who says to have brought it',
    operation: {
      id: 'assignSale',
      route: 'POST /admin/entitlements/:id/sale/assign',
      access: 'admin:affiliates',
      summary: 'Give a sale to an affiliate.',
      description:
        'With the terms in force at its checkout, else with those that were agreed first. The payments of a sale at Stripe follow within a minute.',
      request: { schema: 'SaleAssignmentRequest', example: { handle: 'ada' } },
      answer: { schema: 'SaleAnswer', description: 'The sale.' },
      refusals: [
        'entitlement_not_found',
        'affiliate_not_found',
        'promotion_not_found',
        'sale_stated',
        'changed_meanwhile',
      ],
    },
    members: { id, ...assignMembers },
    log: { assignSale: loggedChange },
    run: async ({ assignSale }, { id: entitlementId, ...seller }, call) =>
      outcomeOf((await assignSale({ entitlementId, ...seller }, call)).sale),
  }),
];

const amount = { ...count, maximum: Number.MAX_SAFE_INTEGER };

const summary = {
  entitlementId: text,
  id: described('The name of the sale for its affiliate, who must not know the id of a checkout.', text),
  productId: text,
  handle: text,
  slug: described('The listing that was promoted.', text),
  by: described('What has told whose sale it is.', enumOf(saleSources)),
  attributedAt: described('When the checkout began.', instant),
  terms: described(
    'As they were at the checkout.',
    objectOf({
      commissionPercent: { type: 'number', minimum: 0, maximum: 100 },
      commissionFor: named('CommissionFor'),
      holdDays: count,
    }),
  ),
  currency: described('Null as long as no payment of an assigned sale is known.', orNull(currencySchema)),
  confirmedAt: described(
    'Until when a look at Stripe has confirmed what is kept; null where none needs to.',
    nullableInstant,
  ),
  voided: described('Null for a sale that earns.', orNull(objectOf({ at: instant, by: text, reason: text }))),
  commission: described('The commission of everything that is kept, in minor units.', count),
  due: described('What is due of it now.', count),
  waiting: described('What is in its hold, or not confirmed since.', count),
  stated: described('What closed statements have of it.', count),
  revision: described('Counts the changes of the sale.', { type: 'integer', minimum: 1 }),
};

/** The commands about the sales that affiliates have brought. */
export const saleCommands: CommandGroup = {
  name: 'sale',
  tag: { name: 'Sales', description: 'The sales that affiliates have brought.' },
  schemas: {
    Payment: {
      ...objectOf({
        id: described('The id of the charge.', text),
        paidAt: instant,
        amount: described('In whole minor units, without tax.', amount),
        kept: described('What is neither refunded nor disputed now; at most `amount`.', amount),
      }),
    },
    SaleSummary: objectOf(summary),
    Sale: objectOf({ ...summary, payments: described('The oldest first.', listOf(named('Payment'))) }),
  },
  commands: [
    list({
      does: 'list the sales that affiliates have brought, the newest first',
      operation: {
        id: 'listSales',
        route: 'GET /admin/sales',
        access: 'admin:affiliates',
        summary: 'List the sales that affiliates have brought.',
        description: 'The newest first.',
        answer: { schema: 'SaleSummaryPage', description: 'A page of sales.' },
        refusals: [],
      },
      members: {
        handle: { ...optional('--handle <handle>', 'only those of an affiliate', handleRule), schema: handleSchema },
        product: optional('--product <id>', 'only those of a product', identifierRule),
        currency: {
          ...optional('--currency <code>', 'only those in a currency', currencyRule),
          schema: currencySchema,
        },
      },
      page: ({ listSales }, { product: productId, ...filter }, page, call) =>
        listSales({ productId, ...filter }, page, call),
      every: ({ everySale }, { product: productId, ...filter }, newCall) =>
        everySale({ productId, ...filter }, newCall),
      view: summaryOf,
      columns: [
        'entitlementId',
        'id',
        'productId',
        'handle',
        'by',
        'attributedAt',
        'currency',
        'commission',
        'due',
        'voided',
      ],
      flexible: ['voided'],
      row,
    }),
    command({
      verb: 'show',
      does: 'show who has brought a sale, its payments and what it earns',
      operation: {
        id: 'showSale',
        route: 'GET /admin/entitlements/:id/sale',
        access: 'admin:affiliates',
        summary: 'Read who has brought a sale.',
        description: 'With its payments, and what it earns.',
        answer: { schema: 'SaleAnswer', description: 'The sale.' },
        refusals: ['sale_not_found'],
      },
      members: { id },
      run: async ({ showSale }, values, call) => outcomeOf(await showSale(values.id, call)),
    }),
    put,
    ...changes,
  ],
};
