import type { Actor } from '../../call.ts';
import type { Digest } from '../../secret.ts';
import type { Terms } from './terms.ts';

export const saleSources = ['code', 'metadata', 'link', 'operator', 'put'] as const;

/**
 * The source of an attribution: a promotion code that the buyer has typed; the metadata of the checkout, which the
 * seller's site has filled; the reference that a link gives to a checkout; an operator; or the record of a sale that
 * was not made at Stripe (`put`).
 */
export type SaleSource = (typeof saleSources)[number];

/** A payment of a sale in whole minor units, net of tax. */
export interface Payment {
  /** The id of the charge. */
  readonly id: string;
  readonly paidAt: Date;
  readonly amount: number;
  /** The part that is neither refunded nor disputed now. At most `amount`. */
  readonly kept: number;
}

/** Why a sale earns nothing. */
export interface Voided {
  readonly at: Date;
  readonly by: Actor;
  readonly reason: string;
}

/** An entitlement that an affiliate has brought: a copy of the terms, and its payments. */
export interface Sale {
  readonly entitlementId: string;
  /** The name of the sale for affiliates, who must not know the id of a checkout. */
  readonly id: string;
  readonly productId: string;
  readonly handle: string;
  /** The slug of the promoted listing. */
  readonly slug: string;
  readonly by: SaleSource;
  /** The instant of the checkout. */
  readonly attributedAt: Date;
  /** As they were at the checkout. They never change. */
  readonly terms: Terms;
  /** Three lowercase letters, such as `usd`; `unknownCurrency` before the first payment of a sale that was assigned. */
  readonly currency: string;
  /** The oldest first, at most `maxPayments`. */
  readonly payments: readonly Payment[];
  /**
   * The instant up to which a look has confirmed what is kept; `neverConfirmed` before the first look, and null where
   * none has to, as for sales that were not made at Stripe.
   */
  readonly confirmedAt: Date | null;
  readonly voided: Voided | null;
  /** The commission in closed statements, in minor units. */
  readonly stated: number;
  /** The number of the last statement that has a line of it; 0 without one. */
  readonly statements: number;
  /** The end of the month of that statement: no later one covers an earlier instant. Null without one. */
  readonly statedUntil: Date | null;
  /** Counts the changes from 1. */
  readonly revision: number;
}

/** The currency of a sale of which no payment is known. */
export const unknownCurrency = '';

/** The confirmation of a sale that waits for its first look. */
export const neverConfirmed = new Date(0);

/** The maximum number of payments of a sale. Later ones earn nothing. */
export const maxPayments = 1000;

/** The sales of one product, affiliate and currency, which are stated together. */
export type Chain = Pick<Sale, 'productId' | 'handle' | 'currency'>;

/** Names a sale without the id of its entitlement, which for a purchase opens its license key. */
export function saleId(entitlementId: string, digest: Digest): string {
  return `sale_${digest(entitlementId).slice(0, 22)}`;
}
