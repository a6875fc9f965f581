import type { Actor, Call } from '../../call.ts';
import type { NewId } from '../../identifier.ts';
import type { Sale } from './sale.ts';

/** The members of a sale that its event shows: never its entitlement, whose id may open a license key. */
export const soldMembers = [
  'id',
  'productId',
  'handle',
  'slug',
  'by',
  'attributedAt',
  'terms',
  'currency',
] as const satisfies readonly (keyof Sale)[];

/** A sale has been attributed to an affiliate. It is the first and only event of the sale. */
export interface SaleEvent {
  readonly id: string;
  readonly type: 'sale.attributed';
  readonly at: Date;
  readonly sequence: 1;
  readonly by: Actor;
  readonly correlationId: string;
  readonly productId: string;
  readonly sale: Pick<Sale, (typeof soldMembers)[number]>;
}

/** Makes the event of a sale that a call attributes. */
export function saleEvent(sale: Sale, { now, by, correlationId }: Call, newId: NewId): SaleEvent {
  const { productId } = sale;
  const facts = Object.fromEntries(soldMembers.map((name) => [name, sale[name]])) as unknown as SaleEvent['sale'];
  return { id: newId(), type: 'sale.attributed', at: now, sequence: 1, by, correlationId, productId, sale: facts };
}
