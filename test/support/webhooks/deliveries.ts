import { createDeliveries, type Deliveries } from '../../../app/server/deliveries.ts';
import { createContainer, portsIn } from '../../../app/service/container.ts';
import { loggerTo } from '../../../app/service/logger.ts';
import { platformReaching } from '../../../app/service/platform.ts';
import { administrationOf, type Administration } from '../../../core/administration/administration.ts';
import { grantOf } from '../../../core/entitlement/written-grant.ts';
import { plainFacts } from '../../../core/product/products.port.ts';
import type { StorePorts } from '../../../core/store/store.port.ts';
import type { AddedWebhook, WebhookRequest } from '../../../core/webhook/add-webhook.ts';
import { streamName, type DeliveryStream } from '../../../core/webhook/stream/delivery-stream.ts';
import { aCall, noon } from '../builders.ts';
import { outputs } from '../run/output-search.ts';
import type { OpenedStore } from '../stores/stores.ts';

/** The networks of the receivers. */
export const loopback = ['127.0.0.0/8', '::1'];

/** A moved clock. It runs, so that what follows from a delivery comes after it. */
export class MovedClock {
  #offset: number;

  /** `offset` is how far it is ahead, in milliseconds. Default: it begins at noon. */
  constructor(offset = noon.getTime() - Date.now()) {
    this.#offset = offset;
  }

  readonly now = (): Date => new Date(Date.now() + this.#offset);

  move(milliseconds: number): void {
    this.#offset += milliseconds;
  }
}

/** A store, whose events are made visible after each change. */
type DeliveredStore = StorePorts & Pick<OpenedStore, 'settle'>;

/** Deliveries over a store, with the administrator's use cases. */
export class TestDeliveries {
  readonly clock: MovedClock;
  readonly administration: Administration;
  /** The parsed lines of the log. */
  readonly logged: Record<string, unknown>[] = [];
  readonly #store: DeliveredStore;
  readonly #deliveries: Deliveries;

  /** `speed` is how fast the monotonic clock runs, by which the deliveries wait and measure leases. */
  constructor(store: DeliveredStore, clock = new MovedClock(), speed = 1) {
    this.clock = clock;
    this.#store = store;
    const container = createContainer(store);
    this.administration = administrationOf(portsIn(container), platformReaching(loopback));
    const log = loggerTo({
      write: (line) => {
        this.logged.push(JSON.parse(line));
        outputs.log('the log of deliveries', line);
      },
    });
    const settings = { storeDeadline: 30_000, webhooks: 'on', webhookAllowNetworks: loopback } as const;
    const deliveries = createDeliveries(
      { container, clock: clock.now, log },
      settings,
      () => performance.now() * speed,
    );
    if (deliveries === null) throw new Error('deliveries are on');
    this.#deliveries = deliveries;
  }

  start(): void {
    this.#deliveries.start();
  }

  stop(timeout = 30_000): Promise<void> {
    return this.#deliveries.stop(timeout);
  }

  call(): ReturnType<typeof aCall> {
    return aCall({ now: this.clock.now() });
  }

  async addProduct(id = 'prod_1'): Promise<void> {
    await this.administration.putProduct(id, { ...plainFacts, name: 'A product' }, this.call());
  }

  addWebhook(url: string, overrides: Partial<WebhookRequest> = {}): Promise<AddedWebhook> {
    return this.administration.addWebhook(
      { id: 'whk_1', url, productId: 'prod_1', types: null, ...overrides },
      this.call(),
    );
  }

  /** Grants subscriptions, which leaves one event each. */
  async grant(...ids: readonly string[]): Promise<void> {
    for (const id of ids) await this.grantOf('prod_1', id);
  }

  async grantOf(productId: string, id: string): Promise<void> {
    const reading = grantOf({ productId, tierId: 'pro', tierName: 'Pro', billingInterval: 'year' });
    if (reading.kind !== 'grant') throw new Error('a subscription has a period');
    await this.administration.grantEntitlement({ grant: reading.grant, id, licenseKey: null }, this.call());
    await this.#store.settle();
  }

  /** Lets the subscription be suspended and reinstated in turn, which leaves one event each. */
  async change(id: string, times = 1): Promise<void> {
    for (let time = 0; time < times; time += 1) {
      const { status } = await this.administration.showEntitlement(id, this.call());
      await this.administration.runEntitlementCommand(
        id,
        { kind: status === 'suspended' ? 'reinstate' : 'suspend' },
        this.call(),
      );
      await this.#store.settle();
    }
  }

  async stream(endpointId = 'whk_1', productId = 'prod_1'): Promise<DeliveryStream | null> {
    const endpoint = await this.#store.webhookEndpoints.find(endpointId, this.call());
    return endpoint && this.#store.deliveryStreams.find(streamName(endpoint, productId), this.call(), 'all');
  }
}
