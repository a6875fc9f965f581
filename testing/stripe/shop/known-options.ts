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

type NamesOf<Options> = Readonly<Record<keyof Options, true>>;

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

/** Returns the options of a verb. Throws `TypeError` for unknown ones, which JavaScript may pass. */
export function optionsOf<Options extends object>(verb: keyof typeof names, options: Options): Options {
  const known = Object.keys(names[verb]);
  if (typeof options !== 'object') throw new TypeError(`${verb} takes an object with ${known.join(', ')}.`);
  const unknown = Object.keys(options).find((name) => !known.includes(name));
  if (unknown === undefined) return options;
  throw new TypeError(`${verb} has no option ${unknown}: it takes ${known.join(', ')}.`);
}
