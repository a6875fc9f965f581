import { startMailDeliveries } from '../../../app/receivers/mail-deliveries.ts';
import { createClockWatch } from '../../../app/server/background.ts';
import { createStripeParts } from '../../../app/server/stripe-service.ts';
import { createContainer } from '../../../app/service/container.ts';
import { loggerTo } from '../../../app/service/logger.ts';
import { mailLoader } from '../../../app/service/mail.ts';
import { nodePlatform } from '../../../app/service/platform.ts';
import { defaultSettings } from '../../../app/settings/resolve.ts';
import type { Settings } from '../../../app/settings/settings.ts';
import { deriveLicenseKey } from '../../../core/billing/derive-license-key.ts';
import { recordClockEvents } from '../../../core/entitlement/event/record-clock-events.ts';
import { mailing } from '../../../core/mail/mailing.ts';
import type { ProductFacts } from '../../../core/product/products.port.ts';
import type { TimelineEvent } from '../../../core/purchase/timeline.ts';
import { streamName, type DeliveryStream } from '../../../core/webhook/stream/delivery-stream.ts';
import type { PurchaseOptions, SubscribeOptions } from '../../../testing/stripe/fake-stripe.ts';
import { aCall, day, noon } from '../builders.ts';
import { eventually } from '../eventually.ts';
import { outputs } from '../run/output-search.ts';
import type { OpenedStore } from '../stores/stores.ts';
import { LookedAtShop } from '../stripe/looked-at-shop.ts';
import { MailReceiver } from './mail-receiver.ts';

interface LogLine {
  readonly level: string;
  readonly message: string;
  readonly entitlementId?: string;
  readonly eventId?: string;
  readonly code?: string;
  readonly answer?: string;
}

/** The address under which buyers reach the service in tests of mail. */
export const publicUrl = 'https://licenses.sketchpad.example';

/** The settings with which a server mails through a receiver. */
export function mailSettings(
  receiver: MailReceiver,
): Pick<Settings, 'mailFrom' | 'publicUrl' | 'siteName' | 'smtpUrl'> {
  const mailFrom = { name: 'Sketchpad', address: 'keys@sketchpad.example' };
  return { mailFrom, publicUrl, siteName: 'Sketchpad', smtpUrl: receiver.address };
}

/** A shop at Stripe whose buyers get mail, and a server that sends it. Its clock is `at.now`. */
export class MailedShop {
  readonly at: LookedAtShop;
  readonly receiver: MailReceiver;
  readonly logged: LogLine[] = [];
  readonly #store: OpenedStore;
  #stop: (timeout: number) => Promise<void> = async () => {};

  private constructor(store: OpenedStore, at: LookedAtShop, receiver: MailReceiver) {
    this.#store = store;
    this.at = at;
    this.receiver = receiver;
  }

  static async open(store: OpenedStore): Promise<MailedShop> {
    const receiver = new MailReceiver();
    await receiver.listen();
    return new MailedShop(store, await LookedAtShop.open(store), receiver);
  }

  get #parts() {
    const write = (line: string): void => {
      this.logged.push(JSON.parse(line));
      outputs.log('the log of mails', line);
    };
    return { container: createContainer(this.#store), log: loggerTo({ write }), clock: () => this.at.now };
  }

  get #settings(): Settings {
    const { apiKey: stripeApiKey, url: stripeApiBase } = this.at.shop;
    return { ...defaultSettings, stripeApiKey, stripeApiBase, ...mailSettings(this.receiver) };
  }

  /** Starts a process that mails. `speed` is how fast its monotonic clock runs, by which it waits before it writes. */
  async start(speed = 20, own: Partial<Settings> = {}): Promise<void> {
    const settings = { ...this.#settings, ...own };
    const clocks = { monotonicClock: () => performance.now() * speed, isPaused: () => false };
    const mail = { load: mailLoader(settings, () => publicUrl), baseUrl: () => publicUrl };
    this.#stop = await startMailDeliveries(this.#parts, settings, mail, clocks, new AbortController().signal);
  }

  async stop(): Promise<void> {
    await this.#stop(0);
    this.#stop = async () => {};
  }

  async close(): Promise<void> {
    await this.stop();
    await this.receiver.close();
    await this.at.shop.stop();
  }

  /** Looks at the clock as a server does that starts, with a clock that its operator vouches for. */
  async watchClock(): Promise<void> {
    await createClockWatch(this.#parts, { ...this.#settings, acceptClock: 'on' }).look();
  }

  /** Looks at a sale as the service does, which grants it with a derived key. */
  async lookAt(id: string): Promise<void> {
    const { look } = await createStripeParts(this.#parts, this.#settings);
    await look(id, aCall({ now: this.at.now, by: 'stripe', correlationId: 'evt_1' }));
    await this.#store.settle();
  }

  async subscribe(options: SubscribeOptions = {}): Promise<string> {
    const { subscription } = await this.at.shop.subscribe({ price: 'price_pro', ...options });
    await this.lookAt(subscription);
    return subscription;
  }

  async purchase(options: PurchaseOptions = {}): Promise<string> {
    const session = await this.at.shop.purchase({ price: 'price_once', ...options });
    await this.lookAt(session);
    return session;
  }

  /** The key that was derived for a sale. */
  keyOf(id: string): Promise<string> {
    return deriveLicenseKey(this.#store.licenseSecrets, nodePlatform)(id, aCall());
  }

  async rotate(id: string): Promise<string> {
    const { licenseKey } = await this.at.administration.rotateLicense(id, null, aCall({ now: this.at.now }));
    await this.#store.settle();
    return licenseKey;
  }

  async revoke(id: string): Promise<void> {
    await this.at.administration.runEntitlementCommand(id, { kind: 'revoke' }, aCall({ now: this.at.now }));
    await this.#store.settle();
  }

  /** Stores the events of the clock, as a server does, with ends that are so near. */
  async sweep(endingSoon = 3 * day): Promise<void> {
    await recordClockEvents(
      this.#store.dueEntitlements,
      nodePlatform.newEventId,
      endingSoon,
    )(() => aCall({ now: this.at.now }));
    await this.#store.settle();
  }

  async setProduct(facts: Partial<ProductFacts>): Promise<void> {
    await this.#store.products.put({ id: 'sketchpad', name: 'Sketchpad', createdAt: noon, ...facts }, aCall());
  }

  /** The column of mails in the timeline of an entitlement, the newest first. */
  async mailsOf(id: string): Promise<readonly TimelineEvent['byMail'][]> {
    const { timeline } = await this.at.administration.showPurchase(id, aCall({ now: this.at.now }));
    return timeline.map(({ byMail }) => byMail);
  }

  wait(milliseconds: number): void {
    this.at.now = new Date(this.at.now.getTime() + milliseconds);
  }

  stream(): Promise<DeliveryStream | null> {
    return this.#store.deliveryStreams.find(streamName(mailing.endpoint, 'sketchpad'), aCall(), 'all');
  }

  /** Waits until everything is mailed, or not to be, and stored. */
  async settle(): Promise<void> {
    const last = await this.#store.events.lastPosition('sketchpad', aCall());
    await happens(
      'everything is mailed',
      () => this.stream(),
      (stream) => stream !== null && stream.cursor >= last && stream.pending.size === 0,
    );
  }

  /** Waits until the mail of an entitlement has failed a number of times. */
  async fails(id: string, times: number): Promise<void> {
    await happens(
      `attempt ${times} has failed`,
      () => this.stream(),
      (stream) => stream?.pending.get(id)?.attempt === times,
    );
  }

  /** Waits until an attempt has failed, and moves the clock to the next one. */
  async waitForAttempt(id: string, attempt: number): Promise<void> {
    await this.fails(id, attempt);
    const next = (await this.stream())?.pending.get(id)?.at;
    if (next) this.at.now = next;
  }

  async isParked(id: string): Promise<boolean> {
    return (await this.stream())?.pending.get(id)?.at === null;
  }

  get errors(): readonly LogLine[] {
    return this.logged.filter(({ level }) => level === 'error');
  }
}

/** Waits for a state. Throws if it does not come. */
async function happens<T>(what: string, read: () => Promise<T>, passes: (result: T) => boolean): Promise<void> {
  if (!passes(await eventually(read, passes))) throw new Error(`In a minute it has not happened that ${what}.`);
}
