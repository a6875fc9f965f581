import type { PlacedEvent } from '../../../core/feed/events.port.ts';
import { eventually } from '../eventually.ts';
import type { OpenedStore } from '../stores/stores.ts';
import { deliveryViolations } from '../workload/delivery-history.ts';
import { MovedClock, TestDeliveries } from './deliveries.ts';
import { Receiver } from './receiver.ts';

/** Lets servers in their own process deliver to receivers of the tests. */
export const deliveryFlags: readonly string[] = ['--webhook-allow-networks', '127.0.0.0/8'];

/** An endpoint of a product with a receiver that keeps everything that servers deliver to it. */
export class ObservedEndpoint {
  readonly #store: OpenedStore;
  readonly #receiver: Receiver;

  private constructor(store: OpenedStore, receiver: Receiver) {
    this.#store = store;
    this.#receiver = receiver;
  }

  static async addTo(store: OpenedStore, productId = 'prod_1'): Promise<ObservedEndpoint> {
    const receiver = await Receiver.start();
    const { secret } = await new TestDeliveries(store, new MovedClock(0)).addWebhook(receiver.url, { productId });
    receiver.secrets = [secret ?? ''];
    return new ObservedEndpoint(store, receiver);
  }

  /** The number of deliveries, repeats included. */
  get deliveries(): number {
    return this.#receiver.received.length;
  }

  /** Frees the stream that a killed server holds, so that the next one need not wait until its lease is over. */
  async free(): Promise<void> {
    const { deliveryStreams } = this.#store;
    const deliveries = new TestDeliveries(this.#store, new MovedClock(0));
    const stream = await deliveries.stream();
    if (stream !== null)
      await deliveryStreams.replace({ ...stream, holder: null, fence: stream.fence + 1 }, deliveries.call());
  }

  /** Waits until every event of a log has arrived, and returns where the deliveries break a promise. */
  async violations(log: readonly PlacedEvent[]): Promise<readonly string[]> {
    const found = await eventually(
      async () => deliveryViolations(log, this.#receiver.accepted),
      ({ length }) => length === 0,
    );
    return [...found, ...this.#receiver.forged];
  }

  close(): Promise<void> {
    return this.#receiver.close();
  }
}
