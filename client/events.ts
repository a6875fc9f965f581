import { isText, type Members } from './answer/forms.ts';
import type { Event, EventFeed } from './models.ts';
import type { CallOptions } from './request.ts';
import { Timer } from './time/timer.ts';
import { pageOf, unusable, type Transport } from './transport.ts';

export interface EventQuery {
  /** The `meta.next` of the page before. Default: the oldest event that is kept. */
  readonly after?: string | undefined;
  /** The maximum number of events, 1 to 100. Default: 50. */
  readonly limit?: number | undefined;
  /** Seconds to wait for the first event of an empty page, 0 to 30. Default: 0. */
  readonly wait?: number | undefined;
}

export interface AllEventsQuery extends Pick<EventQuery, 'after' | 'limit'> {
  /**
   * Called with the cursor behind a page once all its events were taken. Store it, and begin there after a restart: the
   * events of an unfinished page come again.
   */
  readonly saveCursor?: ((cursor: string) => void | Promise<void>) | undefined;
}

/** Milliseconds between two requests, if the service answers early with an empty page. */
const pause = 1000;

const maxWait = 30;

type WaitingQuery = EventQuery & { readonly wait: number };

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
  async list({ after, limit, wait = 0 }: EventQuery = {}, options: CallOptions = {}): Promise<EventFeed> {
    if (!(wait >= 0 && wait <= maxWait)) throw new RangeError(`wait must be seconds from 0 to ${maxWait}`);
    const timer = new Timer(wait * 1000, options.signal);
    try {
      for (let seconds = wait; ; seconds = Math.max(0, timer.remaining() / 1000)) {
        const page = await this.#page({ after, limit, wait: Math.floor(seconds) }, options);
        if (page.data.length > 0 || timer.remaining() <= 0) return page;
        await timer.sleep(Math.min(pause, timer.remaining()));
      }
    } finally {
      timer.stop();
    }
  }

  /** Every event, and then every new one as it happens. Ends only with the caller's signal or an error. */
  async *all(query: AllEventsQuery = {}, options: CallOptions = {}): AsyncGenerator<Event, never, undefined> {
    const { limit = 100, saveCursor } = query;
    let { after } = query;
    for (;;) {
      const { data, meta } = await this.list({ after, limit, wait: maxWait }, options);
      yield* data;
      after = meta.next;
      if (data.length > 0) await saveCursor?.(after);
    }
  }

  async #page({ wait, ...query }: WaitingQuery, options: CallOptions): Promise<EventFeed> {
    const request = { ...options, method: 'GET', path: '/api/app-events', query, needsKey: true, wait } as const;
    const page = await pageOf(this.#transport, request);
    // Without it, the next call would begin with the oldest event again.
    if (!isText((page['meta'] as Members)['next'])) throw unusable('The answer is not one of Latchkey');
    return page as unknown as EventFeed;
  }
}
