import type { Instant } from '../../time/instant.ts';
import type {
  DisputeOptions,
  MiddleOptions,
  PaymentOptions,
  PriceOptions,
  PromotionCodeOptions,
  PurchaseOptions,
  Subscribed,
  SubscribeOptions,
  Verdict,
} from './options.ts';

/** The actions of the shop and of its buyers. Each resolves when its events have been delivered. */
export interface Shop {
  /** Adds a price. Returns its id. */
  readonly addPrice: (options?: PriceOptions) => string;
  /** Adds a promotion code, which takes nothing off the amounts here. Returns its id. */
  readonly addPromotionCode: (options: PromotionCodeOptions) => string;
  /** Has a buyer subscribe. */
  readonly subscribe: (options?: SubscribeOptions) => Promise<Subscribed>;
  /** Brings a subscription to the end of its period: it ends if it was canceled, else the next period is paid. */
  readonly renew: (subscription: string) => Promise<void>;
  /** Brings a subscription to the end of its period, and declines the payment of the next: it is `past_due`. */
  readonly failPayment: (subscription: string) => Promise<void>;
  /**
   * Bills in the middle of a period, as for an upgrade, which leaves the period as it is. The invoice is the latest one then.
   * Returns its id.
   */
  readonly billInTheMiddle: (subscription: string, options?: MiddleOptions) => Promise<string>;
  /** Pays the latest invoice. */
  readonly pay: (subscription: string) => Promise<void>;
  /** Stops asking for the latest invoice's payment, with the outcome that the shop's rules say. */
  readonly stopRetries: (subscription: string, outcome: 'unpaid' | 'canceled' | 'incomplete_expired') => Promise<void>;
  /** Cancels by an instant, as the customer portal does. Default: the end of the period. */
  readonly cancel: (subscription: string, at?: Instant) => Promise<void>;
  /** Cancels by the flag `cancel_at_period_end`. */
  readonly cancelAtPeriodEnd: (subscription: string) => Promise<void>;
  /** Undoes a cancellation, however it was made. */
  readonly undoCancellation: (subscription: string) => Promise<void>;
  /** Ends a subscription. Default: now. */
  readonly end: (subscription: string, at?: Instant) => Promise<void>;
  /** Pauses a subscription, as after a trial without a means of payment. */
  readonly pause: (subscription: string) => Promise<void>;
  readonly resume: (subscription: string) => Promise<void>;
  readonly pauseCollection: (
    subscription: string,
    behavior?: 'keep_as_draft' | 'mark_uncollectible' | 'void',
  ) => Promise<void>;
  readonly resumeCollection: (subscription: string) => Promise<void>;
  readonly endTrial: (subscription: string) => Promise<void>;
  /** Changes the price of the first item. Another interval begins a new period. */
  readonly changePrice: (subscription: string, price: string) => Promise<void>;
  readonly changeQuantity: (subscription: string, quantity: number) => Promise<void>;
  /** Has a subscription schedule manage a subscription: Stripe then refuses to cancel it directly. */
  readonly schedule: (subscription: string) => Promise<void>;
  /** Has a buyer pay once. Returns the id of the checkout session. */
  readonly purchase: (options?: PurchaseOptions) => Promise<string>;
  /** Has the delayed payment of a session arrive, or fail. */
  readonly settle: (session: string, payment?: 'succeeds' | 'fails') => Promise<void>;
  /** Lets the time of a session pass that its buyer has left open: it has expired. */
  readonly expire: (session: string) => Promise<void>;
  /** Gives the customer of a purchase or subscription another address, as the customer portal does; null for none. */
  readonly changeEmail: (id: string, email: string | null) => Promise<void>;
  /** Refunds a purchase, an invoice, or a payment of a subscription. Default: all that is left of the latest. */
  readonly refund: (id: string, amount?: number, options?: PaymentOptions) => Promise<void>;
  /** Has the bank return the last refund of a purchase, an invoice, or the latest payment of a subscription. */
  readonly failRefund: (id: string) => Promise<void>;
  /** Disputes a purchase, an invoice, or a payment of a subscription. Default: the latest. */
  readonly dispute: (id: string, kind?: 'dispute' | 'inquiry', options?: DisputeOptions) => Promise<void>;
  /** Closes the last open dispute of a purchase, an invoice, or a subscription. */
  readonly closeDispute: (id: string, verdict: Verdict) => Promise<void>;
}
