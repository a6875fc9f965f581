import { compareCodePoints } from '../../code-points.ts';
import { day } from '../../parsing/duration.ts';
import { neverConfirmed, type Payment, type Sale } from './sale.ts';
import type { Terms } from './terms.ts';

/** The part of an amount that is not tax, rounded down; 0 if the total is not above 0. */
export function netOf(amount: number, withoutTax: number, total: number): number {
  return total <= 0 ? 0 : Number((BigInt(amount) * BigInt(withoutTax)) / BigInt(total));
}

/** The commission on the part of a payment that is kept, rounded down. */
export function shareOf(kept: number, { commissionPercent }: Pick<Terms, 'commissionPercent'>): number {
  return Number((BigInt(kept) * BigInt(commissionPercent)) / 10_000n);
}

/**
 * The payments that the terms pay for, the oldest first. The first is the oldest above 0, and remains it after a
 * refund. Months are those of the UTC calendar, and their end is not among them.
 */
export function counted({ payments, terms }: Pick<Sale, 'payments' | 'terms'>): readonly Payment[] {
  const paid = payments.filter(({ amount }) => amount > 0).toSorted(compareAges);
  const [first] = paid;
  if (first === undefined || terms.commissionFor === 'lifetime') return paid;
  if (terms.commissionFor === 'first_payment') return [first];
  const end = monthsAfter(first.paidAt, terms.commissionFor);
  return paid.filter(({ paidAt }) => paidAt < end);
}

/** The order of payments: the oldest first. */
export function compareAges(a: Payment, b: Payment): number {
  return a.paidAt.getTime() - b.paidAt.getTime() || compareCodePoints(a.id, b.id);
}

/** The same time a number of months later by the UTC calendar; a day that the month does not have becomes its last. */
export function monthsAfter(start: Date, count: number): Date {
  const end = new Date(start);
  end.setUTCMonth(start.getUTCMonth() + count);
  if (end.getUTCDate() !== start.getUTCDate()) end.setUTCDate(0);
  return end;
}

/** The commission that is due on a sale at an instant, as it is known now. */
export function dueAt(sale: Sale, at: Date): number {
  if (sale.voided !== null) return 0;
  const until = Math.min(at.getTime(), confirmedUntil(sale));
  const due = counted(sale).filter((payment) => holdEnd(payment, sale) <= until);
  return sumOf(due.map(({ kept }) => shareOf(kept, sale.terms)));
}

/** The amount of the line that a statement would have for a sale. Negative where more was stated than is due. */
export function lineAt(sale: Sale, at: Date): number {
  return dueAt(sale, at) - sale.stated;
}

/** The commission on everything that is kept, whether it is due or not. */
export function commissionOf(sale: Sale): number {
  return sale.voided === null ? sumOf(counted(sale).map(({ kept }) => shareOf(kept, sale.terms))) : 0;
}

/**
 * The earliest instant at which a look has to confirm a payment; null if none has to. A sale that was never looked at
 * waits for its first look.
 */
export function lookDueAt(sale: Sale): Date | null {
  const { confirmedAt } = sale;
  if (confirmedAt === null || sale.voided !== null) return null;
  if (confirmedAt.getTime() === neverConfirmed.getTime()) return neverConfirmed;
  const ends = counted(sale).map((payment) => holdEnd(payment, sale));
  return earliest(ends.filter((end) => end > confirmedAt.getTime()));
}

/** The earliest instant from which another statement would have a line for a sale; null if none would. */
export function lineDueAt(sale: Sale): Date | null {
  const ends = counted(sale).map((payment) => holdEnd(payment, sale));
  // More may have been stated than is due, already before another hold ends.
  const start = sale.statedUntil?.getTime() ?? 0;
  const instants = [start, ...ends.filter((end) => end > start)];
  return earliest(instants.filter((at) => lineAt(sale, new Date(at)) !== 0));
}

/** The end of the last hold of a payment of which something is kept; null without such a payment. */
export function lastHoldEnd(sale: Sale): Date | null {
  const kept = counted(sale).filter((payment) => payment.kept > 0);
  return kept.length === 0 ? null : new Date(Math.max(...kept.map((payment) => holdEnd(payment, sale))));
}

function holdEnd({ paidAt }: Payment, { terms }: Pick<Sale, 'terms'>): number {
  return paidAt.getTime() + terms.holdDays * day;
}

function confirmedUntil({ confirmedAt }: Sale): number {
  return confirmedAt?.getTime() ?? Infinity;
}

function earliest(instants: readonly number[]): Date | null {
  return instants.length === 0 ? null : new Date(instants.reduce((least, each) => Math.min(least, each)));
}

function sumOf(amounts: readonly number[]): number {
  return Number(amounts.reduce((sum, amount) => sum + BigInt(amount), 0n));
}
