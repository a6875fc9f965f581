import { lineDueAt, lookDueAt } from '../../../core/affiliate/sale/commission.ts';
import type { SaleEvent } from '../../../core/affiliate/sale/sale-event.ts';
import type { Sale } from '../../../core/affiliate/sale/sale.ts';
import { saleSubject } from '../../../core/feed/logged-event.ts';

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

/** Leaves the event that waits out of a read. */
export const withoutOutbox = { outbox: 0 };

/** An event in the `outbox` of its sale, where it waits for its position. The names are those of `OutboxEntry`. */
export interface SaleOutboxEntry {
  readonly id: string;
  readonly type: SaleEvent['type'];
  readonly told: Date;
  readonly at: Date;
  readonly n: 1;
  readonly by: SaleEvent['by'];
  readonly cid: string;
  readonly sold: SaleEvent['sale'];
}

/** An event in the log. `of` is the subject. */
export interface SaleLogEntry extends SaleOutboxEntry {
  readonly of: string;
}

export function toSaleOutboxEntry(event: SaleEvent, told: Date): SaleOutboxEntry {
  const { id, type, at, sequence: n, by, correlationId: cid, sale: sold } = event;
  return { id, type, told, at, n, by, cid, sold };
}

export function toSaleLogEntry(event: SaleEvent, told: Date): SaleLogEntry {
  return { ...toSaleOutboxEntry(event, told), of: saleSubject(event.sale.id) };
}

export function fromSaleLogEntry(entry: SaleLogEntry, productId: string): SaleEvent {
  const { id, type, at, n: sequence, by, cid: correlationId, sold: sale } = entry;
  return { id, type, at, sequence, by, correlationId, productId, sale };
}
