import type { Call } from '../call.ts';
import type { Entitlement } from '../entitlement/entitlement.ts';

/** Why the buyers' addresses could not be read: it may work later. Contains no address. */
export interface AddressFailure {
  readonly kind: 'failed';
  readonly code: string;
  /** Milliseconds until the other side wants to be asked again; null if it did not say. */
  readonly retryAfter: number | null;
}

/** The address of a buyer; null if nobody knows one. */
export type BuyersAddress = { readonly kind: 'read'; readonly address: string | null } | AddressFailure;

/** A sale, and the address of its buyer as Stripe spells it. */
export interface SaleOfAddress {
  readonly entitlementId: string;
  readonly address: string;
  /** The id of the buyer's customer at Stripe; null for a sale without one. */
  readonly customer: string | null;
}

/** The sales to an address. After a failure, those that were found before it: they may be shown, and nothing is mailed. */
export type SalesOfAddress = (AddressFailure | { readonly kind: 'read' }) & {
  readonly sales: readonly SaleOfAddress[];
};

/** The addresses of buyers, which are asked for when they are needed: the store has none. */
export interface BuyerAddresses {
  /** Reads the address of the buyer of a sale. */
  ofSale(sale: Pick<Entitlement, 'id' | 'reference'>, call: Call): Promise<BuyersAddress>;

  /** Finds the sales to an address, in any case. */
  salesTo(typed: string, call: Call): Promise<SalesOfAddress>;
}
