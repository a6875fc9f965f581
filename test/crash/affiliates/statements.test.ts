import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { nodePlatform } from '../../../app/service/platform.ts';
import { administrationOf } from '../../../core/administration/administration.ts';
import { fakeStripe, type FakeStripe } from '../../../testing/index.ts';
import { anAffiliate, aPromotion, aVersion } from '../../support/affiliates/builders.ts';
import { aCall } from '../../support/builders.ts';
import { freePorts } from '../../support/free-ports.ts';
import { startServerProcess, type ServerProcess } from '../../support/processes/server-process.ts';
import { range } from '../../support/range.ts';
import { rounds } from '../../support/run/long-runs.ts';
import { fillStore } from '../../support/stores/filled-store.ts';
import { durableStores, openAt, type OpenedStore, type StoreAddress } from '../../support/stores/stores.ts';

const kills = rounds(2, 20);
const operatorKey = 'svc_op_live_of-the-statements-that-are-killed';
const keys = { appKey: 'svc_sk_live_of-the-statements', operatorKey, licenseKey: 'LK-OF-THE-STATEMENTS-0000' };
const sold = range(6).map((index) => `ent_${index}`);
const handles = ['ada', 'bob', 'cyd'] as const;
const months = range(6).map((index) => `2025-${String(index + 1).padStart(2, '0')}`);
const handleOf = (id: string): string => handles[sold.indexOf(id) % handles.length] ?? '';

interface ClosedView {
  readonly id: string;
  readonly state: string;
}

/** A server that attributes, states and is killed, and its clients, who repeat what was not answered. */
class KilledStatements {
  readonly store: OpenedStore;
  readonly closed = new Map<string, string>();
  readonly paid = new Set<string>();
  readonly purchases: string[] = [];
  readonly #address: StoreAddress;
  readonly #shop: FakeStripe;
  readonly #ports: readonly number[];
  #server: ServerProcess | null = null;

  private constructor(address: StoreAddress, store: OpenedStore, shop: FakeStripe, ports: readonly number[]) {
    this.#address = address;
    this.store = store;
    this.#shop = shop;
    this.#ports = ports;
  }

  static async on(address: StoreAddress): Promise<KilledStatements> {
    await fillStore(address.url, keys, sold);
    const store = await openAt(address.url);
    const shop = await fakeStripe();
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
    const ports = await freePorts(2);
    shop.addEndpoint({ url: `http://127.0.0.1:${ports[0]}/hooks/stripe` });
    return new KilledStatements(address, store, shop, ports);
  }

  async #start(): Promise<void> {
    const { url, apiKey, webhookSecret } = this.#shop;
    const env = { STRIPE_API_BASE: url, STRIPE_API_KEY: apiKey, STRIPE_WEBHOOK_SECRET: webhookSecret };
    const flags = ['--port', String(this.#ports[0]), '--admin-port', String(this.#ports[1]), '--accept-clock', 'on'];
    this.#server = await startServerProcess(this.#address.url, { flags, env });
  }

  /** Puts, buys, closes and pays while the server is killed, and closes once more when everything is put. */
  async live(): Promise<void> {
    await this.#start();
    const life = Promise.all([...sold.map((id) => this.#put(id)), this.#buy(), this.#closeAll()]);
    for (let kill = 0; kill < kills; kill += 1) {
      await pause(200 + Math.random() * 400);
      await this.#server?.kill();
      await this.#start();
    }
    await life;
    await this.#shop.deliver(this.#shop.events);
    await this.#close('2025-12');
    await this.store.settle();
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
    for (let sale = 0; sale < kills * 3; sale += 1) {
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
      this.closed.set(id, state);
      if (state !== 'to_pay') continue;
      await this.#ask('POST', `statements/${id}/paid`, { method: 'paypal', reference: id });
      this.paid.add(id);
    }
  }

  /** Asks until the server answers, and returns its data. */
  async #ask(method: string, path: string, body: object): Promise<unknown> {
    const headers = { Authorization: `Bearer ${operatorKey}`, 'Content-Type': 'application/json' };
    const url = `http://127.0.0.1:${this.#ports[1]}/admin/${path}`;
    for (;;) {
      const answer = await fetch(url, { method, headers, body: JSON.stringify(body) })
        .then(async (response) => ({ status: response.status, text: await response.text() }))
        .catch(() => null);
      if (answer !== null && answer.status < 300) return (JSON.parse(answer.text) as { readonly data: unknown }).data;
      const isRefused = answer !== null && answer.status < 500 && !answer.text.includes('changed_meanwhile');
      if (isRefused) throw new Error(`${method} ${path}: ${answer.text}`);
      await pause(20);
    }
  }

  async remove(): Promise<void> {
    await this.#server?.kill();
    await this.store.close();
    await this.#shop.stop();
    await this.#address.remove();
  }
}

for (const { name, address } of durableStores) {
  describe(`a server on ${name} that attributes and states sales and is killed ${kills} times`, () => {
    let at: KilledStatements;

    before(async () => {
      at = await KilledStatements.on(await address());
      await at.live();
    });
    after(() => at.remove());

    const all = { productId: null, handle: null, month: null, state: null, after: null, limit: 1000 } as const;
    const eventsOf = async (type: string): Promise<readonly string[]> => {
      const { events } = await at.store.events.page('prod_1', 0, 10_000, aCall());
      return events.flatMap(({ event }) => {
        if (event.type !== type) return [];
        return 'sale' in event ? [event.sale.id] : 'statement' in event ? [event.statement.id] : [];
      });
    };

    it('loses no statement and no payment that it acknowledged, and closes each once', async () => {
      const statements = await at.store.statements.page(all, aCall());
      expect(statements.length).to.be.greaterThan(0);
      const ids = statements.map(({ id }) => id);
      expect(ids).to.include.members([...at.closed.keys()]);
      for (const { id, paid } of statements) if (at.paid.has(id)) expect(paid?.reference).to.equal(id);
      expect(at.paid.size).to.be.greaterThan(0);
      expect((await eventsOf('statement.closed')).toSorted()).to.deep.equal(ids.toSorted());
    });

    it('attributes each sale once, and states what is kept of it, no line twice', async () => {
      const sales = await at.store.sales.page(
        { productId: null, handle: null, currency: null, after: null, limit: 1000 },
        aCall(),
      );
      const entitlements = sales.map(({ entitlementId }) => entitlementId);
      expect(entitlements.toSorted()).to.deep.equal([...sold, ...at.purchases].toSorted());
      expect((await eventsOf('sale.attributed')).toSorted()).to.deep.equal(sales.map(({ id }) => id).toSorted());
      const shares = [...months.slice(1).map(() => 150), Math.floor((1005 * 30) / 100)];
      const due = shares.reduce((sum, share) => sum + share, 0);
      const statements = await at.store.statements.page(all, aCall());
      for (const handle of handles) {
        const own = statements.filter((statement) => statement.handle === handle);
        const count = sold.filter((id) => handleOf(id) === handle).length;
        expect(
          own.reduce((sum, { total }) => sum + total, 0),
          handle,
        ).to.equal(count * due);
      }
    });

    it('leaves a store in which nothing is wrong', async () => {
      const { checkStore } = administrationOf(at.store, nodePlatform);
      const findings = await checkStore(() => aCall({ now: new Date() }));
      expect(findings.filter(({ ok }) => !ok)).to.deep.equal([]);
    });
  });
}
