import type { Call } from '../../call.ts';
import type { Listings, ListingToPut } from '../listings.port.ts';

/**
 * Returns the outcomes that `Listings.put` would have, and stores nothing. It remembers the slugs and ids that it would
 * have stored, so that later batches conflict with them: use one for each import.
 */
export class PutDryRun implements Pick<Listings, 'put'> {
  readonly #listings: Pick<Listings, 'findExisting'>;
  readonly #slugs = new Set<string>();
  readonly #ids = new Set<string>();

  constructor(listings: Pick<Listings, 'findExisting'>) {
    this.#listings = listings;
  }

  async put(listings: readonly ListingToPut[], call: Call): Promise<readonly ('stored' | 'id taken')[]> {
    const keys = { slugs: listings.map(({ slug }) => slug), ids: listings.map(({ id }) => id) };
    const stored = await this.#listings.findExisting(keys, call);
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
