import { setTimeout as pause } from 'node:timers/promises';
import type { FakeStripe } from '../../../testing/index.ts';
import { aCall } from '../builders.ts';
import { range } from '../range.ts';
import type { OpenedStore } from '../stores/stores.ts';
import type { KilledShop } from '../stripe/killed-shop.ts';
import { anAffiliate, aPromotion, aVersion } from './builders.ts';

export const handles = ['ada', 'bob', 'cyd'] as const;
export const months = range(6).map((index) => `2025-${String(index + 1).padStart(2, '0')}`);

/** Entitlements of the shop's own, whose sales its operator states. */
export const sold = range(6).map((index) => `ent_${index}`);

export const handleOf = (id: string): string => handles[sold.indexOf(id) % handles.length] ?? '';

/** Buyers who come with a code. */
const purchases = 6;

/** Milliseconds between two attempts of a request: while a server starts, its clients must leave it the processor. */
const retryInterval = 200;

interface ClosedView {
  readonly id: string;
  readonly state: string;
}

/** Sales that a killed server attributes and states, and its clients, who repeat what was not answered. */
export class StatedSales {
  /** The statements that were acknowledged when their month was closed. */
  readonly closed = new Set<string>();
  readonly paid = new Set<string>();
  readonly purchases: string[] = [];
  readonly #shop: FakeStripe;
  readonly #adminUrl: string;
  readonly #operatorKey: string;

  private constructor({ shop, adminUrl }: KilledShop, operatorKey: string) {
    this.#shop = shop;
    this.#adminUrl = adminUrl;
    this.#operatorKey = operatorKey;
  }

  /** Adds affiliates to a shop that has the entitlements `sold`. */
  static async addTo(at: KilledShop, operatorKey: string): Promise<StatedSales> {
    const { shop, store } = at;
    const price = shop.addPrice({ id: 'price_once', interval: null });
    const tier = { tierId: 'pro', tierName: 'Pro', deviceLimit: null, updates: null };
    await store.priceMap.put({ ...tier, price, productId: 'prod_1' }, aCall());
    shop.addPromotionCode({ code: 'ADA20' });
    for (const handle of handles) {
      const codes = handle === 'ada' ? ['ada20'] : [];
      await store.affiliates.replace(null, anAffiliate({ handle }), aCall());
      const terms = [aVersion({ from: new Date('2024-01-01T00:00:00Z'), holdDays: 0 })];
      await store.promotions.replace(null, aPromotion({ handle, codes, terms }), aCall());
    }
    return new StatedSales(at, operatorKey);
  }

  /** Puts, buys, closes and pays, whether there is a server or not. */
  async run(): Promise<void> {
    await Promise.all([...sold.map((id) => this.#put(id)), this.#buy(), this.#closeAll()]);
  }

  /** Closes once more what was put after its month was closed. */
  async settle(store: OpenedStore): Promise<void> {
    await this.#shop.deliver();
    await this.#close('2025-12');
    await store.settle();
  }

  async #put(id: string): Promise<void> {
    for (const count of range(months.length)) {
      const payments = months.slice(0, count + 1).map((month, index) => {
        const amount = 1000 + index;
        // The one before is given back by half.
        return { id: `ch_${id}_${index}`, paidAt: `${month}-10T00:00:00Z`, amount, kept: index < count ? 500 : amount };
      });
      await this.#ask('PUT', `entitlements/${id}/sale`, { handle: handleOf(id), currency: 'usd', payments });
      await pause(Math.random() * 500);
    }
  }

  async #buy(): Promise<void> {
    for (const _ of range(purchases)) {
      this.purchases.push(await this.#shop.purchase({ price: 'price_once', promotionCode: 'ADA20' }));
      await pause(Math.random() * 300);
    }
  }

  async #closeAll(): Promise<void> {
    for (const month of months) {
      await this.#close(month);
      await pause(Math.random() * 600);
    }
  }

  async #close(month: string): Promise<void> {
    const answer = await this.#ask('POST', 'statements/close', { month });
    for (const { id, state } of (answer as { readonly closed: readonly ClosedView[] }).closed) {
      this.closed.add(id);
      if (state !== 'to_pay') continue;
      await this.#ask('POST', `statements/${id}/paid`, { method: 'paypal', reference: id });
      this.paid.add(id);
    }
  }

  /** Asks until the server answers, and returns its data. */
  async #ask(method: string, path: string, body: object): Promise<unknown> {
    const headers = { Authorization: `Bearer ${this.#operatorKey}`, 'Content-Type': 'application/json' };
    const url = `${this.#adminUrl}/admin/${path}`;
    for (;;) {
      const answer = await fetch(url, { method, headers, body: JSON.stringify(body) })
        .then(async (response) => ({ status: response.status, text: await response.text() }))
        .catch(() => null);
      if (answer !== null && answer.status < 300) return (JSON.parse(answer.text) as { readonly data: unknown }).data;
      const isRefused = answer !== null && answer.status < 500 && !answer.text.includes('changed_meanwhile');
      if (isRefused) throw new Error(`${method} ${path}: ${answer.text}`);
      await pause(retryInterval);
    }
  }
}
