import type { MiddleReason } from '../objects/middle-reason.ts';

/** The options that a subscription and a purchase have in common. */
export interface SaleOptions {
  /** The `client_reference_id` of the session. Default: null. */
  readonly reference?: string | undefined;
  /** The address that the buyer gives, of the session and the customer; null for none. Default: `buyer@example.com`. */
  readonly email?: string | null | undefined;
  /** The address of the customer, if it differs from the session's. */
  readonly customerEmail?: string | null | undefined;
  /** Whether Stripe is the merchant of record (Managed Payments). Default: false. */
  readonly managedPayments?: boolean | undefined;
  /** The id or the code of a promotion code (`addPromotionCode`) that the buyer types at the checkout. Default: none. */
  readonly promotionCode?: string | undefined;
  /** The metadata of the session; of the subscription without one. Default: none. */
  readonly metadata?: Readonly<Record<string, string>> | undefined;
  /** A tax on top of the price, in percent. Default: 0. */
  readonly tax?: number | undefined;
  /** The currency that the buyer pays in, such as `jpy`. Default: the price's. */
  readonly currency?: string | undefined;
}

export interface SubscribeOptions extends SaleOptions {
  /** The id of a price, or several for a subscription with several items. Default: a monthly price. */
  readonly price?: string | readonly string[] | undefined;
  /** Default: 1. */
  readonly quantity?: number | undefined;
  /** Days of trial, in which nothing is charged. Default: none. */
  readonly trialDays?: number | undefined;
  /** Whether the first payment succeeds. If it fails, the subscription is `incomplete`. Default: `succeeds`. */
  readonly payment?: 'succeeds' | 'fails' | undefined;
  /** Whether the buyer came through a checkout session. Default: true. */
  readonly checkout?: boolean | undefined;
}

export interface Subscribed {
  readonly subscription: string;
  /** The id of the checkout session, or null without one. */
  readonly session: string | null;
}

/** An invoice in the middle of a period. */
export interface MiddleOptions {
  /** `subscription_update` for an upgrade that is charged at once. Default: that. */
  readonly reason?: MiddleReason | undefined;
  /** In the smallest unit of the currency. Default: 300. */
  readonly amount?: number | undefined;
  /** Whether it is paid. If not, the subscription is `past_due`, except for one by hand. Default: `succeeds`. */
  readonly payment?: 'succeeds' | 'fails' | undefined;
}

export interface PurchaseOptions extends SaleOptions {
  /** The id of a price without an interval, or several. Default: such a price. */
  readonly price?: string | readonly string[] | undefined;
  /** Default: 1. */
  readonly quantity?: number | undefined;
  /**
   * The payment: at once, not at all (a price of nothing, or a discount of everything), or by a method that reports
   * days later whether it worked. `never` leaves the session open (`expire`). Default: `card`.
   */
  readonly payment?: 'card' | 'free' | 'delayed' | 'never' | undefined;
}

/** One of the payments of a subscription. */
export interface PaymentOptions {
  /** Its number: 0 is the first that came. Default: that of the latest invoice. */
  readonly payment?: number | undefined;
}

export interface DisputeOptions extends PaymentOptions {
  /** In the smallest unit of the currency. Default: all of the payment. */
  readonly amount?: number | undefined;
}

export interface PromotionCodeOptions {
  /** As buyers type it. */
  readonly code: string;
}

/** The end of a dispute. One that is `prevented` has returned the money, and cannot be contested. */
export type Verdict = 'won' | 'lost' | 'prevented' | 'warning_closed';

export interface PriceOptions {
  /** Default: a new id. */
  readonly id?: string | undefined;
  /** Null for a price that is paid once. Default: `month`. */
  readonly interval?: 'day' | 'week' | 'month' | 'year' | null | undefined;
  /** The number of intervals in a period: three years at most, as at Stripe. Default: 1. */
  readonly intervalCount?: number | undefined;
  /** In the smallest unit of the currency. Default: 900. */
  readonly amount?: number | undefined;
  /** The id of the product at Stripe. Default: a new id. */
  readonly product?: string | undefined;
  /** Default: true. */
  readonly active?: boolean | undefined;
}
