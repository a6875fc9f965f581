import type { EventFeed } from './models.ts';
import type { CallOptions } from './request.ts';
import { succeed } from './success.ts';
import type { Transport } from './transport.ts';

/** Which events to return. */
export interface EventQuery {
  /** The `meta.next` of the page before. Default: from the oldest event that is kept. */
  readonly after?: string | undefined;
  /** The size of a page, 1 to 100. Default: 50. */
  readonly limit?: number | undefined;
}

/** Reads what happened to the entitlements of the app key's product. For servers only: app keys are secrets. */
export class Events {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Returns one page, oldest event first. Keep `meta.next` with what you have done: it is the `after` of the next call,
   * also if the page is empty.
   */
  async list(query: EventQuery = {}, { signal }: CallOptions = {}): Promise<EventFeed> {
    const request = { method: 'GET', path: '/api/app-events', query, needsKey: true, signal } as const;
    return (await succeed(this.#transport, request)) as unknown as EventFeed;
  }
}
