import type { Call } from '../call.ts';
import type { Listing } from './listing.ts';
import type { Listings } from './listings.port.ts';

/**
 * Says what storing listings would come to, and stores none. What it would have stored counts as there from then on, so
 * that it holds their slugs and ids: one for each import.
 */
export class PutDryRun implements Pick<Listings, 'put'> {
  readonly #listings: Pick<Listings, 'taken'>;
  readonly #slugs = new Set<string>();
  readonly #ids = new Set<string>();

  constructor(listings: Pick<Listings, 'taken'>) {
    this.#listings = listings;
  }

  async put(listings: readonly Listing[], call: Call): Promise<readonly ('stored' | 'id taken')[]> {
    const claims = { slugs: listings.map(({ slug }) => slug), ids: listings.map(({ id }) => id) };
    const stored = await this.#listings.taken(claims, call);
    return listings.map(({ slug, id }) => {
      // A slug that exists keeps its id.
      if (stored.slugs.has(slug) || this.#slugs.has(slug)) return 'stored';
      if (stored.ids.has(id) || this.#ids.has(id)) return 'id taken';
      this.#slugs.add(slug);
      this.#ids.add(id);
      return 'stored';
    });
  }
}
