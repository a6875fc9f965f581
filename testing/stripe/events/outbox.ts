import { deliver, listensTo, type Receiver } from './deliveries.ts';
import type { Delivery, ShopEvent } from './shop-event.ts';

/** The deliveries of the account: at once, or when a test asks for them. */
export class Outbox {
  readonly #receivers: (Receiver & { readonly since: number })[] = [];
  readonly deliveries: Delivery[] = [];
  readonly #events: readonly ShopEvent[];
  #paused = false;
  /** The number of events that were delivered at once, or skipped while that was paused. */
  #passed = 0;
  #last: Promise<unknown> = Promise.resolve();

  constructor(events: readonly ShopEvent[]) {
    this.#events = events;
  }

  /** Adds a receiver of what happens from now on. */
  add(receiver: Receiver): void {
    this.#receivers.push({ ...receiver, since: this.#events.length });
  }

  pause(): void {
    this.#paused = true;
  }

  resume(): void {
    this.#passed = this.#events.length;
    this.#paused = false;
  }

  /** Delivers what has happened since, one event after the other. */
  flush(): Promise<unknown> {
    if (this.#paused) return Promise.resolve();
    const fresh = this.#events.slice(this.#passed);
    this.#passed = this.#events.length;
    this.#last = this.#last.then(() => this.deliver(fresh));
    return this.#last;
  }

  /** Delivers these events in this order, each as often as it is named, to every endpoint that listens to it. */
  async deliver(events: readonly ShopEvent[]): Promise<readonly Delivery[]> {
    const made: Delivery[] = [];
    for (const event of events)
      for (const receiver of this.#receivers)
        if (listensTo(receiver.endpoint, event.type)) made.push(await deliver(event, receiver));
    this.deliveries.push(...made);
    return made;
  }

  /** The events that an endpoint listens to and has not yet accepted. */
  undelivered(): readonly ShopEvent[] {
    const accepted = new Set(this.deliveries.filter(isAccepted).map(({ event, url }) => `${event.id} ${url}`));
    return this.#events.filter((event, index) =>
      this.#receivers.some(
        ({ endpoint, since }) =>
          index >= since && listensTo(endpoint, event.type) && !accepted.has(`${event.id} ${endpoint.url}`),
      ),
    );
  }
}

function isAccepted({ status }: Delivery): boolean {
  return status !== null && status >= 200 && status < 300;
}
