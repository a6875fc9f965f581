import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { eventTypes } from '../../adapters/stripe/hook/event-subjects.ts';
import { nodePlatform } from '../../app/service/platform.ts';
import { administrationOf } from '../../core/administration/administration.ts';
import { deriveLicenseKey } from '../../core/billing/derive-license-key.ts';
import { mailing } from '../../core/mail/mailing.ts';
import { Refusal } from '../../core/refusal.ts';
import { streamName, type DeliveryStream } from '../../core/webhook/stream/delivery-stream.ts';
import { fakeStripe, type FakeStripe } from '../../testing/index.ts';
import { aCall, day, noon } from '../support/builders.ts';
import { eventually } from '../support/eventually.ts';
import { freePorts } from '../support/free-ports.ts';
import { MailReceiver, type ReceiverOptions } from '../support/mail/mail-receiver.ts';
import { storedBytes } from '../support/mail/stored-bytes.ts';
import { startServerProcess, type ServerProcess } from '../support/processes/server-process.ts';
import { range } from '../support/range.ts';
import { rounds } from '../support/run/long-runs.ts';
import { fillStore } from '../support/stores/filled-store.ts';
import { durableStores, openAt, type OpenedStore, type StoreAddress } from '../support/stores/stores.ts';

const product = 'prod_1';
const kills = rounds(2, 20);
const sales = rounds(8, 100);
const appKey = 'svc_sk_live_of-the-merchant-whose-mails-are-killed';

/** The behavior of the mail server for a while: half of it is trouble. */
const moods: readonly ReceiverOptions[] = [
  {},
  {},
  {},
  { onMail: 'cut' },
  { onRecipient: [450, '4.2.0 busy'] },
  { onRecipient: 'cut' },
];

/** Two servers that mail what a shop at Stripe sells, and are killed meanwhile. */
class KilledMail {
  readonly receiver = new MailReceiver();
  readonly sold: string[] = [];
  /** Subscriptions that were canceled to an end that is near. */
  readonly canceled: string[] = [];
  readonly #address: StoreAddress;
  readonly #shop: FakeStripe;
  readonly #ports: readonly number[];
  readonly #servers: (ServerProcess | null)[] = [null, null];
  readonly store: OpenedStore;

  private constructor(address: StoreAddress, store: OpenedStore, shop: FakeStripe, ports: readonly number[]) {
    this.#address = address;
    this.store = store;
    this.#shop = shop;
    this.#ports = ports;
  }

  static async on(address: StoreAddress): Promise<KilledMail> {
    await fillStore(address.url, appKey, []);
    const store = await openAt(address.url);
    const shop = await fakeStripe();
    await store.products.put({ id: product, name: 'Product', createdAt: noon, mailEnding: true }, aCall());
    for (const price of [shop.addPrice({ id: 'price_once', interval: null }), shop.addPrice({ id: 'price_month' })]) {
      const sells = { price, productId: product, tierId: 'pro', tierName: 'Pro', deviceLimit: null, updates: null };
      await store.priceMap.put(sells, aCall());
    }
    const ports = await freePorts(2);
    const at = new KilledMail(address, store, shop, ports);
    await at.receiver.listen();
    for (const port of ports) shop.addEndpoint({ url: `http://127.0.0.1:${port}/hooks/stripe`, events: eventTypes });
    await Promise.all([at.#start(0), at.#start(1)]);
    await at.#whenBegun();
    return at;
  }

  async #start(index: number): Promise<void> {
    const { url, apiKey, webhookSecret } = this.#shop;
    const stripe = { STRIPE_API_BASE: url, STRIPE_API_KEY: apiKey, STRIPE_WEBHOOK_SECRET: webhookSecret };
    const mail = {
      SMTP_URL: this.receiver.url,
      MAIL_FROM: 'keys@shop.example',
      PUBLIC_URL: 'https://keys.shop.example',
    };
    const flags = ['--port', String(this.#ports[index])];
    this.#servers[index] = await startServerProcess(this.#address.url, { flags, env: { ...stripe, ...mail } });
  }

  /** Purchases before the first server has begun are not mailed. */
  #whenBegun(): Promise<unknown> {
    return eventually(
      () => this.#stream(),
      (stream) => stream !== null,
    );
  }

  get url(): string {
    return this.#address.url;
  }

  /** Sells while servers are killed and the mail server has its moods. */
  async live(): Promise<void> {
    const life = this.#sell();
    for (const kill of range(kills)) {
      await pause(300 + Math.random() * 700);
      await this.#servers[kill % 2]?.kill();
      // The other one does the work of the last that is killed.
      if (kill < kills - 1) await this.#start(kill % 2);
    }
    await life;
    this.receiver.options = {};
  }

  async #sell(): Promise<void> {
    for (const sale of range(sales)) {
      this.receiver.options = moods[Math.floor(Math.random() * moods.length)] ?? {};
      this.sold.push(await this.#shop.purchase({ price: 'price_once', email: `buyer-${sale}@example.com` }));
      if (sale % 2 === 0) await this.#sellAndCancel(`ending-${sale}@example.com`);
      await pause(Math.random() * 200);
    }
  }

  async #sellAndCancel(email: string): Promise<void> {
    const { subscription } = await this.#shop.subscribe({ price: 'price_month', email });
    await this.#shop.cancel(subscription, new Date(Date.now() + 2 * day));
    this.canceled.push(subscription);
  }

  /** Has Stripe deliver again what a killed server did not answer, and waits until everything is mailed. */
  async settle(): Promise<void> {
    await this.#shop.deliver();
    const { retryMails } = administrationOf(this.store, nodePlatform);
    await eventually(
      () => this.#announced(),
      (announced) => this.canceled.every((id) => announced.has(id)),
    );
    await eventually(
      async () => {
        await pause(200);
        const stream = await this.#stream();
        if (stream === null) return false;
        // The second pause of the schedule is five minutes. Each retry takes the stream from the server that mails, so that
        // what is on its way is mailed once more: there is one only if nothing would be done without it.
        const now = new Date();
        if (waitsLong(stream, now)) await retryMails(aCall({ now })).catch(unlessChanged);
        const last = await this.store.events.lastPosition(product, aCall());
        return stream.cursor >= last && stream.pending.size === 0;
      },
      (isSettled) => isSettled,
    );
  }

  /** The ids of the entitlements that have the event of an end that is near. */
  async #announced(): Promise<ReadonlySet<string>> {
    const found = new Set<string>();
    for (let position = 0; ;) {
      const { events } = await this.store.events.page(product, position, 200, aCall());
      for (const { event } of events) if (event.type === 'entitlement.ending_soon') found.add(event.entitlement.id);
      const last = events.at(-1)?.position;
      if (last === undefined) return found;
      position = last;
    }
  }

  #stream(): Promise<DeliveryStream | null> {
    return this.store.deliveryStreams.find(streamName(mailing.endpoint, product), aCall(), 'all');
  }

  async remove(): Promise<void> {
    for (const server of this.#servers) await server?.kill();
    await this.store.close();
    await this.receiver.close();
    await this.#shop.stop();
    await this.#address.remove();
  }
}

/** Reports whether everything that is pending waits for more than the first pause of the schedule, of six seconds at most. */
function waitsLong({ pending }: DeliveryStream, now: Date): boolean {
  const soon = now.getTime() + 6000;
  return pending.size > 0 && [...pending.values()].every(({ at }) => at === null || at.getTime() > soon);
}

/** The servers write the stream meanwhile. */
function unlessChanged(error: unknown): void {
  if (!(error instanceof Refusal) || error.code !== 'changed_meanwhile') throw error;
}

for (const { name, address } of durableStores) {
  describe(`two servers on ${name} that mail keys and are killed ${kills} times`, () => {
    let at: KilledMail;

    before(async () => {
      at = await KilledMail.on(await address());
      await at.live();
      await at.settle();
    });
    after(() => at.remove());

    it('mail the key of each sale to its buyer, every copy under one id', async () => {
      expect(at.sold).to.have.length(sales);
      const derive = deriveLicenseKey(at.store.licenseSecrets, nodePlatform);
      for (const [sale, id] of at.sold.entries()) {
        const mails = at.receiver.mails.filter(({ to }) => to[0] === `buyer-${sale}@example.com`);
        expect(mails, id).to.have.length.greaterThan(0);
        expect(new Set(mails.map(({ parsed }) => parsed.messageId)).size, id).to.equal(1);
        for (const { parsed } of mails) expect(parsed.text).to.include(await derive(id, aCall()));
      }
    });

    it('mail each end that is near to its buyer, every copy under one id and without a key', () => {
      expect(at.canceled).to.have.length(Math.ceil(sales / 2));
      for (const [index, id] of at.canceled.entries()) {
        const mails = at.receiver.mails.filter(
          ({ to, parsed }) => to[0] === `ending-${2 * index}@example.com` && parsed.messageId?.startsWith('<ending.'),
        );
        expect(mails, id).to.have.length.greaterThan(0);
        expect(new Set(mails.map(({ parsed }) => parsed.messageId)).size, id).to.equal(1);
        for (const { raw } of mails) expect(raw).to.not.match(/LK-/);
      }
    });

    it('leave no address and no key in the store, nor in a backup of it', async () => {
      const stored = await storedBytes(at.url);
      expect(stored).to.include(at.sold[0]).and.include('entitlement.granted');
      expect(/[\w-]*@example\.com|\bLK(?:-[0-9A-Z]{5}){6}\b/i.exec(stored)?.[0]).to.equal(undefined);
    });
  });
}
