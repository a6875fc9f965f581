import { setTimeout as pause } from 'node:timers/promises';

/** The part of an event that the reader keeps. */
interface ReadEvent {
  readonly id: string;
  readonly data: { readonly sequence: number; readonly entitlement: { readonly id: string } };
}

interface FeedBody {
  readonly data: readonly ReadEvent[];
  readonly meta: { readonly next: string; readonly hasMore: boolean };
}

/** Milliseconds until a reader asks again that is at the end or got no answer: it must leave others the processor. */
const retryInterval = 50;

/** A client that follows the feed of its product with pages of random sizes, while servers come and go. */
export class FeedReader {
  /** Every event in the order in which the pages had it. */
  readonly events: ReadEvent[] = [];
  readonly #appKey: string;
  readonly #url: () => string;
  #cursor: string | null = null;
  #stopped = false;

  constructor(appKey: string, url: () => string) {
    this.#appKey = appKey;
    this.#url = url;
  }

  /** Reads until `stop`. */
  async run(): Promise<void> {
    while (!this.#stopped) {
      const more = await this.#readPage();
      if (more !== true) await pause(retryInterval);
    }
  }

  stop(): void {
    this.#stopped = true;
  }

  /** Reads on to the present end of the feed. */
  async readToEnd(): Promise<void> {
    while ((await this.#readPage()) !== false);
  }

  /** Returns whether there is more; null if no server has answered. */
  async #readPage(): Promise<boolean | null> {
    const limit = Math.ceil(Math.random() * 20);
    const query = new URLSearchParams({ limit: String(limit), ...(this.#cursor !== null && { after: this.#cursor }) });
    let response: Response;
    let body: FeedBody;
    try {
      const headers = { authorization: `Bearer ${this.#appKey}` };
      response = await fetch(`${this.#url()}/api/app-events?${query.toString()}`, { headers });
      body = (await response.json()) as FeedBody;
    } catch {
      return null;
    }
    if (response.headers.get('error-code') === 'store_unavailable') return null;
    if (response.status !== 200) throw new Error(`the feed answered ${response.status} ${JSON.stringify(body)}`);
    this.events.push(...body.data);
    this.#cursor = body.meta.next;
    return body.meta.hasMore;
  }
}
