import { digest } from '../../../adapters/crypto/node-secrets.ts';
import { createStripe, type StripeClient } from '../../../adapters/stripe/client/create-stripe.ts';
import type { PendingChange } from '../../../adapters/stripe/decision/decision.ts';
import { lookAt } from '../../../adapters/stripe/look-at.ts';
import type { Look, LookAt } from '../../../adapters/stripe/look/look.ts';
import type { StripeReport } from '../../../adapters/stripe/look/report.ts';
import { keepSeen } from '../../../adapters/stripe/outgoing/keep-seen.ts';
import { readEffect } from '../../../adapters/stripe/outgoing/pending-change.ts';
import { nodePlatform } from '../../../app/service/platform.ts';
import { administrationOf, type Administration } from '../../../core/administration/administration.ts';
import type { Call } from '../../../core/call.ts';
import type { Entitlement } from '../../../core/entitlement/entitlement.ts';
import { snapshotAt, type Snapshot } from '../../../core/entitlement/snapshot.ts';
import type { StorePorts } from '../../../core/store/store.port.ts';
import type { FakeStripe, PurchaseOptions, SubscribeOptions } from '../../../testing/stripe/fake-stripe.ts';
import { fakeStripe } from '../../../testing/stripe/start-fake-stripe.ts';
import { aCall, day, noon } from '../builders.ts';

/** A shop at Stripe, and a store that looks at it. Both follow `now`, Stripe with a lead. */
export class LookedAtShop {
  readonly shop: FakeStripe;
  readonly administration: Administration;
  readonly look: LookAt;
  readonly reports: StripeReport[] = [];
  now = noon;
  /** Milliseconds by which Stripe's clock is ahead of `now`. */
  lead = 0;
  /** The change on its way to Stripe. */
  pending: PendingChange | null = null;
  readonly #ports: StorePorts;

  private constructor(shop: FakeStripe, ports: StorePorts, stripe: StripeClient) {
    this.shop = shop;
    this.#ports = ports;
    this.administration = administrationOf(ports, nodePlatform);
    this.look = lookAt({
      stripe,
      administration: this.administration,
      prices: ports.priceMap,
      affiliates: ports.affiliates,
      promotions: ports.promotions,
      sales: ports.sales,
      digest,
      newEventId: nodePlatform.newEventId,
      cases: ports.stripeCases,
      readPending: async () => this.pending,
      readEffect: readEffect(ports),
      deriveKey: async () => null,
      unpaidAccess: 21 * day,
      keepSeen: keepSeen({ ...ports, find: this.administration.findEntitlement }),
      report: (report) => this.reports.push(report),
      sendLeft: async () => undefined,
    });
    shop.follow({ now: () => new Date(this.now.getTime() + this.lead) });
  }

  /** With the product `sketchpad`, whose tiers are sold by `price_pro`, `price_team` (yearly) and `price_once`. */
  static async open(ports: StorePorts): Promise<LookedAtShop> {
    const shop = await fakeStripe();
    const stripe = await createStripe({ apiKey: shop.apiKey, apiBase: shop.url });
    const opened = new LookedAtShop(shop, ports, stripe);
    for (const id of ['sketchpad', 'metronome']) await ports.products.put({ id, name: id, createdAt: noon }, aCall());
    for (const tier of ['pro', 'team', 'once']) await opened.map(`price_${tier}`, tier);
    shop.addPrice({ id: 'price_pro' });
    shop.addPrice({ id: 'price_team', interval: 'year' });
    shop.addPrice({ id: 'price_once', interval: null });
    shop.addPrice({ id: 'price_unmapped' });
    return opened;
  }

  close(): Promise<void> {
    return this.shop.stop();
  }

  /** Has a buyer subscribe to the tier `pro`, and looks at it. Returns its id. */
  async subscribe(options: SubscribeOptions = {}): Promise<string> {
    const { subscription } = await this.shop.subscribe({ price: 'price_pro', ...options });
    await this.lookAt(subscription);
    return subscription;
  }

  /** Has a buyer pay once, and looks at it. Returns the id of the session. */
  async purchase(options: PurchaseOptions = {}): Promise<string> {
    const session = await this.shop.purchase({ price: 'price_once', ...options });
    await this.lookAt(session);
    return session;
  }

  call(): Call {
    return aCall({ now: this.now, correlationId: 'evt_1' });
  }

  /** Maps a price to a tier of a product. */
  async map(price: string, tierId: string, productId = 'sketchpad', deviceLimit: number | null = null): Promise<void> {
    const mapping = { price, productId, tierId, tierName: tierId.toUpperCase(), deviceLimit, updates: null };
    await this.#ports.priceMap.put(mapping, aCall());
  }

  lookAt(id: string): Promise<Look> {
    return this.look(id, this.call());
  }

  async find(id: string): Promise<Entitlement | null> {
    return this.#ports.allEntitlements.find(id, this.call());
  }

  /** The entitlement as it is now. */
  async show(id: string): Promise<Snapshot | null> {
    const entitlement = await this.find(id);
    return entitlement === null ? null : snapshotAt(entitlement, this.now);
  }

  /** The operations in the history of an entitlement, the oldest first. */
  async operations(id: string): Promise<readonly string[]> {
    const history = await this.administration.showHistory(id, this.call());
    return history.map(({ by, operation }) => (by === 'stripe' ? operation : `${operation} by ${by}`)).toReversed();
  }
}
