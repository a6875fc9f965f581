import { identifierRule } from '../../identifier.ts';
import { instantRule } from '../../parsing/instant.ts';
import { countRule, textRule, textThat, type ValueRule } from '../../parsing/value-rule.ts';
import { maxPayments, type Payment } from '../sale/sale.ts';

/** The form of a currency, for the documents of the interface. */
export const currencyPattern = '^[a-z]{3}$';

const currencyForm = new RegExp(currencyPattern);

export const currencyRule = textThat((text) => currencyForm.test(text), 'must be three lowercase letters, such as usd');

const form = 'an id, an instant, and amount and kept in whole minor units without tax, kept at most amount';

/** A payment as an option writes it: `ch_1,2026-11-02T10:00:00Z,4900,4900`. */
export const paymentRule = textRule((text): Payment | null => {
  const [, id = '', paidAt = '', amount = '', kept = ''] = /^([^,]*),([^,]*),(\d+),(\d+)$/.exec(text) ?? [];
  return paymentOf({
    id: identifierRule.parse(id),
    paidAt: instantRule.parse(paidAt),
    amount: countRule.parse(amount),
    kept: countRule.parse(kept),
  });
}, `must be ID,PAID-AT,AMOUNT,KEPT: ${form}, each in digits alone, such as 4900 for 49.00`);

/** All payments of a sale. */
export const paymentsRule: ValueRule<readonly Payment[]> = {
  parse: () => null,
  read: (member) => {
    const payments = Array.isArray(member) ? member.map(readPayment) : [null];
    const read = payments.filter((payment) => payment !== null);
    return read.length === payments.length && fitTogether(read) ? read : null;
  },
  rule: `must be at most ${maxPayments} payments, none twice and together at most 2^53 - 1: objects with id, paidAt, amount and kept, which are ${form}`,
};

function readPayment(member: unknown): Payment | null {
  if (typeof member !== 'object' || member === null) return null;
  const { id, paidAt, amount, kept, ...others } = member as Readonly<Record<string, unknown>>;
  if (Object.keys(others).length > 0) return null;
  return paymentOf({
    id: identifierRule.read(id),
    // The command line has read it already.
    paidAt: paidAt instanceof Date ? paidAt : instantRule.read(paidAt),
    amount: countRule.read(amount),
    kept: countRule.read(kept),
  });
}

function paymentOf({
  id,
  paidAt,
  amount,
  kept,
}: { readonly [Name in keyof Payment]: Payment[Name] | null }): Payment | null {
  if (id === null || paidAt === null || amount === null || kept === null) return null;
  return kept <= amount ? { id, paidAt, amount, kept } : null;
}

function fitTogether(payments: readonly Payment[]): boolean {
  const ids = new Set(payments.map(({ id }) => id));
  const sum = payments.reduce((all, { amount }) => all + BigInt(amount), 0n);
  return ids.size === payments.length && payments.length <= maxPayments && sum <= BigInt(Number.MAX_SAFE_INTEGER);
}
