import { lineDueAt, lookDueAt } from '../../../core/affiliate/sale/commission.ts';
import type { Sale } from '../../../core/affiliate/sale/sale.ts';

/** A document of `sales`, by entitlement. `lookAt` and `lineAt` are what `lookDueAt` and `lineDueAt` say. */
export type SaleDocument = Omit<Sale, 'entitlementId'> & {
  readonly _id: string;
  readonly lookAt: Date | null;
  readonly lineAt: Date | null;
};

export function toSaleDocument(sale: Sale): SaleDocument {
  const { entitlementId: _id, ...members } = sale;
  return { _id, ...members, lookAt: lookDueAt(sale), lineAt: lineDueAt(sale) };
}

export function fromSaleDocument({ _id: entitlementId, lookAt: _look, lineAt: _line, ...members }: SaleDocument): Sale {
  return { entitlementId, ...members };
}
