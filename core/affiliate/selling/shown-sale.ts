import type { Call } from '../../call.ts';
import { commissionOf, dueAt } from '../sale/commission.ts';
import type { Sale } from '../sale/sale.ts';

/** A sale, and what it earns. */
export interface ShownSale extends Sale {
  /** The commission of everything that is kept. */
  readonly commission: number;
  /** What is due of it now. */
  readonly due: number;
  /** What is in its hold, or not confirmed since. */
  readonly waiting: number;
}

export function shownSale(sale: Sale, { now }: Pick<Call, 'now'>): ShownSale {
  const commission = commissionOf(sale);
  const due = dueAt(sale, now);
  return { ...sale, commission, due, waiting: commission - due };
}
