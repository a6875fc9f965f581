import type {
  CompensationFilter,
  Listing,
  ListingPage,
  ListingSort,
  MinCommission,
  MinStorefronts,
  WaitlistSignUp,
} from './models.ts';
import type { CallOptions } from './request.ts';
import { dataOf, pageOf, succeed, type Transport } from './transport.ts';

/** Which listings to return, in which order. */
export interface ListingQuery {
  /** Terms that must all occur in name, blurb, category or slug. */
  readonly q?: string | undefined;
  readonly sort?: ListingSort | undefined;
  readonly compensation?: CompensationFilter | undefined;
  readonly category?: string | undefined;
  readonly minCommission?: MinCommission | undefined;
  readonly minStorefronts?: MinStorefronts | undefined;
  /** Where the page starts. Default: 0. */
  readonly offset?: number | undefined;
  /** The size of a page, 1 to 48. Default: 24. */
  readonly limit?: number | undefined;
}

const path = '/api/marketplace/listings';

/** Reads the public catalog. */
export class Listings {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Returns one page. */
  async list(query: ListingQuery = {}, options: CallOptions = {}): Promise<ListingPage> {
    const page = await pageOf(this.#transport, { ...options, method: 'GET', path, query });
    return page as unknown as ListingPage;
  }

  /** Throws `NotFoundError` where no live listing has the slug. */
  async get(slug: string, options: CallOptions = {}): Promise<Listing> {
    const request = { ...options, method: 'GET', path: `${path}/${encodeURIComponent(slug)}` } as const;
    return (await dataOf(this.#transport, request)) as unknown as Listing;
  }

  /** Every listing of a query, page by page. A listing that moves meanwhile may occur twice, or not at all. */
  async *all(query: ListingQuery = {}, options: CallOptions = {}): AsyncGenerator<Listing, void, undefined> {
    let offset = query.offset ?? 0;
    for (;;) {
      const { data, meta } = await this.list({ limit: 48, ...query, offset }, options);
      yield* data;
      if (!meta.hasMore || data.length === 0) return;
      offset += data.length;
    }
  }
}

/** Adds people to the waitlist. */
export class Waitlist {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Joins; joining again with the same address changes nothing. Throws `InvalidRequestError` for a bad address. */
  async join(signUp: WaitlistSignUp, options: CallOptions = {}): Promise<void> {
    await succeed(this.#transport, { ...options, method: 'POST', path: '/api/waitlist', body: signUp });
  }
}
