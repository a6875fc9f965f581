import { instantOf, type Instant } from '../time/instant.ts';
import { newPrice } from './objects/price.ts';
import type { Price, Subscription } from './objects/stored.ts';
import { changeCancellation, end, hasEnded, lastEnd, stopRetries } from './shop/cancellation.ts';
import { changeEmail } from './shop/customers.ts';
import {
  billInTheMiddle,
  changePrice,
  changeQuantity,
  endTrial,
  pause,
  pauseCollection,
  payLatest,
  renew,
  resume,
} from './shop/cycle.ts';
import { optionsOf } from './shop/known-options.ts';
import { known, type Ledger } from './shop/ledger.ts';
import type { PriceOptions } from './shop/options.ts';
import { addPromotionCode } from './shop/promotions.ts';
import { purchase, settle } from './shop/purchases.ts';
import { chargeOf, closeDispute, failRefund, openDispute, refund } from './shop/reversals.ts';
import type { Shop } from './shop/shop-actions.ts';
import { expireSession, subscribe } from './shop/subscriptions.ts';

/** The verbs of a shop. `delivered` resolves when the events so far have been delivered. */
export function shopOf(ledger: Ledger, delivered: () => Promise<unknown>): Shop {
  const on = verbsOver(ledger, delivered);
  const suitable = suitablePrices(ledger);
  return {
    addPrice: (options = {}) => addPrice(ledger, optionsOf('addPrice', options)).id,
    addPromotionCode: (options) => addPromotionCode(ledger, optionsOf('addPromotionCode', options)).id,
    subscribe: async (options = {}) => {
      const { price = suitable('month').id } = optionsOf('subscribe', options);
      const subscribed = subscribe(ledger, pricesOf(ledger, price), options);
      await delivered();
      return subscribed;
    },
    renew: on((subscription) => renew(ledger, subscription, 'succeeds')),
    failPayment: on((subscription) => renew(ledger, subscription, 'fails')),
    billInTheMiddle: async (id, options = {}) => {
      const invoice = billInTheMiddle(ledger, running(ledger, id), optionsOf('billInTheMiddle', options));
      await delivered();
      return invoice.id;
    },
    pay: on((subscription) => payLatest(ledger, subscription)),
    stopRetries: on((subscription, outcome) => stopRetries(ledger, subscription, outcome)),
    cancel: on((subscription, at?: Instant) => {
      const instant = at === undefined ? lastEnd(ledger, subscription) : secondsOf(at);
      changeCancellation(ledger, subscription, { at: instant });
    }),
    cancelAtPeriodEnd: on((subscription) => changeCancellation(ledger, subscription, { flag: true })),
    undoCancellation: on((subscription) => {
      const undone = subscription.cancel_at_period_end ? 'flag' : 'instant';
      changeCancellation(ledger, subscription, { undone });
    }),
    end: on((subscription, at?: Instant) => end(ledger, subscription, at === undefined ? ledger.now() : secondsOf(at))),
    pause: on((subscription) => pause(ledger, subscription)),
    resume: on((subscription) => resume(ledger, subscription)),
    pauseCollection: on((subscription, behavior = 'void') => pauseCollection(ledger, subscription, behavior)),
    resumeCollection: on((subscription) => pauseCollection(ledger, subscription, null)),
    endTrial: on((subscription) => endTrial(ledger, subscription)),
    changePrice: on((subscription, price) => changePrice(ledger, subscription, known(ledger.prices, price))),
    changeQuantity: on((subscription, quantity) => changeQuantity(ledger, subscription, quantity)),
    schedule: on((subscription) =>
      ledger.change('customer.subscription.updated', subscription, { schedule: ledger.newId('sub_sched') }),
    ),
    purchase: async (options = {}) => {
      const { price = suitable(null).id } = optionsOf('purchase', options);
      const session = purchase(ledger, pricesOf(ledger, price), options);
      await delivered();
      return session.id;
    },
    settle: async (session, payment = 'succeeds') => {
      settle(ledger, known(ledger.sessions, session), payment);
      await delivered();
    },
    expire: async (session) => {
      expireSession(ledger, known(ledger.sessions, session));
      await delivered();
    },
    changeEmail: async (id, email) => {
      changeEmail(ledger, id, email);
      await delivered();
    },
    refund: async (id, amount, options = {}) => {
      refund(ledger, chargeOf(ledger, id, optionsOf('refund', options)), amount);
      await delivered();
    },
    failRefund: async (id) => {
      failRefund(ledger, id);
      await delivered();
    },
    dispute: async (id, kind = 'dispute', given = {}) => {
      const { amount, ...options } = optionsOf('dispute', given);
      openDispute(ledger, chargeOf(ledger, id, options), kind === 'inquiry', amount);
      await delivered();
    },
    closeDispute: async (id, verdict) => {
      closeDispute(ledger, id, verdict);
      await delivered();
    },
  };
}

type Verb<A extends readonly unknown[]> = (id: string, ...more: A) => Promise<void>;

function verbsOver(
  ledger: Ledger,
  delivered: () => Promise<unknown>,
): <A extends readonly unknown[]>(change: (subscription: Subscription, ...more: A) => void) => Verb<A> {
  return (change) =>
    async (id, ...more) => {
      change(running(ledger, id), ...more);
      await delivered();
    };
}

function running(ledger: Ledger, id: string): Subscription {
  const subscription = known(ledger.subscriptions, id);
  if (hasEnded(subscription)) throw new TypeError(`${id} has ended.`);
  return subscription;
}

/** The price that a test has which names none, for each interval. */
function suitablePrices(ledger: Ledger): (interval: 'month' | null) => Price {
  const made = new Map<'month' | null, Price>();
  return (interval) => {
    const price = made.get(interval) ?? addPrice(ledger, { interval });
    made.set(interval, price);
    return price;
  };
}

function pricesOf(ledger: Ledger, ids: string | readonly string[]): readonly Price[] {
  return (typeof ids === 'string' ? [ids] : ids).map((id) => known(ledger.prices, id));
}

function addPrice(ledger: Ledger, options: PriceOptions): Price {
  const { id = ledger.newId('price'), interval = 'month', intervalCount = 1, amount = 900, active = true } = options;
  checkInterval(interval, intervalCount);
  const { product = ledger.newId('prod') } = options;
  const price = newPrice({ id, product, currency: 'usd', amount, interval, intervalCount, created: ledger.now() });
  price.active = active;
  ledger.prices.set(id, price);
  return price;
}

/** Throws `TypeError` for a period that Stripe refuses: the longest has three years. */
function checkInterval(interval: NonNullable<PriceOptions['interval']> | null, count: number): void {
  if (interval === null) {
    if (count !== 1) throw new TypeError('intervalCount does not go with a price that is paid once.');
    return;
  }
  const longest = { day: 1095, week: 156, month: 36, year: 3 }[interval];
  if (Number.isInteger(count) && count >= 1 && count <= longest) return;
  throw new TypeError(`intervalCount must be a whole number from 1 to ${longest} with the interval ${interval}.`);
}

function secondsOf(instant: Instant): number {
  return Math.floor(instantOf(instant).getTime() / 1000);
}
