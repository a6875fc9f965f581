import type { Call } from '../../call.ts';
import { commissionOf, dueAt } from '../sale/commission.ts';
import type { Sale } from '../sale/sale.ts';

/** A sale with its commission. */
export interface ShownSale extends Sale {
  /** The commission on everything that is kept. */
  readonly commission: number;
  /** The part of it that is due now. */
  readonly due: number;
  /** The part of it whose hold has not ended, or that was not confirmed since. */
  readonly waiting: number;
}

export function shownSale(sale: Sale, { now }: Pick<Call, 'now'>): ShownSale {
  const commission = commissionOf(sale);
  const due = dueAt(sale, now);
  return { ...sale, commission, due, waiting: commission - due };
}
