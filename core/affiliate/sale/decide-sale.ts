import type { Call } from '../../call.ts';
import type { Attribution } from './attribution.ts';
import { compareAges, lookDueAt } from './commission.ts';
import { maxPayments, type Payment, type Sale } from './sale.ts';

/** The fields that a sale begins with. */
export type SaleFacts = Pick<Sale, 'entitlementId' | 'id' | 'productId' | 'attributedAt' | 'currency' | 'confirmedAt'> &
  Attribution;

/** Begins a sale, which has no payment yet. */
export function newSale(facts: SaleFacts): Sale {
  return { ...facts, payments: [], voided: null, stated: 0, statements: 0, statedUntil: null, revision: 1 };
}

/**
 * Brings the payments that were read into a sale, the oldest `maxPayments` of them. A reading confirms what is kept if
 * it changes something, or if a hold has ended since the last confirmation. `readAt` is an instant before Stripe was
 * read. Returns the sale itself if nothing is to be written.
 */
export function withPayments(sale: Sale, read: readonly Payment[], readAt: Date): Sale {
  const payments = read.toSorted(compareAges).slice(0, maxPayments);
  const next = { ...sale, payments };
  const due = lookDueAt(next);
  const confirms = due !== null && due <= readAt;
  if (arePaymentsSame(payments, sale.payments) && !confirms) return sale;
  const { confirmedAt } = sale;
  // Another look, whose clock was ahead, may have confirmed more.
  const until = confirmedAt === null || confirmedAt > readAt ? confirmedAt : readAt;
  return { ...next, confirmedAt: until, revision: sale.revision + 1 };
}

function arePaymentsSame(some: readonly Payment[], others: readonly Payment[]): boolean {
  return (
    some.length === others.length &&
    some.every((one, index) => {
      const other = others[index];
      return (
        other !== undefined &&
        one.id === other.id &&
        one.paidAt.getTime() === other.paidAt.getTime() &&
        one.amount === other.amount &&
        one.kept === other.kept
      );
    })
  );
}

/** Voids a sale, which then earns nothing. The same sale if it is void already, whatever the reason. */
export function voidedSale(sale: Sale, reason: string, { now, by }: Pick<Call, 'now' | 'by'>): Sale {
  return sale.voided === null ? { ...sale, voided: { at: now, by, reason }, revision: sale.revision + 1 } : sale;
}

/** Lets a sale that is void earn again. The same sale if it is not void. */
export function restoredSale(sale: Sale): Sale {
  return sale.voided === null ? sale : { ...sale, voided: null, revision: sale.revision + 1 };
}

/** Gives a sale to another affiliate. `stated` if a statement has a line of it: then it stays with its affiliate. */
export function assignedSale(sale: Sale, attribution: Attribution): Sale | 'stated' {
  const isSame = sale.handle === attribution.handle && sale.slug === attribution.slug;
  if (isSame) return sale;
  return sale.statements > 0 ? 'stated' : { ...sale, ...attribution, revision: sale.revision + 1 };
}
