import { knownOptions, type NamesOf } from '../../options/known-options.ts';
import type {
  DisputeOptions,
  MiddleOptions,
  PaymentOptions,
  PriceOptions,
  PromotionCodeOptions,
  PurchaseOptions,
  SaleOptions,
  SubscribeOptions,
} from './options.ts';

const sale: NamesOf<SaleOptions> = {
  reference: true,
  email: true,
  customerEmail: true,
  managedPayments: true,
  promotionCode: true,
  metadata: true,
  tax: true,
  currency: true,
};

const payment: NamesOf<PaymentOptions> = { payment: true };

/** The options of each verb. */
const names = {
  addPrice: { id: true, interval: true, intervalCount: true, amount: true, product: true, active: true },
  addPromotionCode: { code: true },
  billInTheMiddle: { reason: true, amount: true, payment: true },
  dispute: { ...payment, amount: true },
  purchase: { ...sale, price: true, quantity: true, payment: true },
  refund: payment,
  subscribe: { ...sale, price: true, quantity: true, trialDays: true, payment: true, checkout: true },
} as const satisfies {
  readonly addPrice: NamesOf<PriceOptions>;
  readonly addPromotionCode: NamesOf<PromotionCodeOptions>;
  readonly billInTheMiddle: NamesOf<MiddleOptions>;
  readonly dispute: NamesOf<DisputeOptions>;
  readonly purchase: NamesOf<PurchaseOptions>;
  readonly refund: NamesOf<PaymentOptions>;
  readonly subscribe: NamesOf<SubscribeOptions>;
};

/** Returns the options of a verb. Throws `TypeError` for unknown ones. */
export function optionsOf<Options extends object>(verb: keyof typeof names, options: Options): Options {
  return knownOptions(verb, names[verb] as Readonly<Record<keyof Options, true>>, options);
}
