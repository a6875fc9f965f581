import type { AllListings, ListingPart } from '../../core/catalog/administration/all-listings.port.ts';
import type { Listing } from '../../core/catalog/listing.ts';
import type { MemoryStore } from './data/memory-store.ts';
import { firstAfter } from './data/sorted-texts.ts';

export class MemoryAllListings implements AllListings {
  readonly #store: MemoryStore;

  constructor(store: MemoryStore) {
    this.#store = store;
  }

  async find(slug: string): Promise<Listing | null> {
    return this.#store.listings.get(slug)?.listing ?? null;
  }

  async page({ state, after, limit }: ListingPart): Promise<readonly Listing[]> {
    return firstAfter(this.#store.slugs, after, limit, (slug) => {
      const listing = this.#store.listings.get(slug)?.listing ?? null;
      return state === null || listing?.state === state ? listing : null;
    });
  }

  async delete(slug: string): Promise<0 | 1> {
    const stored = this.#store.listings.get(slug);
    if (stored === undefined) return 0;
    this.#store.listings.delete(slug);
    this.#store.listingIds.delete(stored.listing.id);
    this.#store.slugs.delete(slug);
    this.#store.listingChanges += 1;
    this.#store.lastDeletion = this.#store.listingChanges;
    return 1;
  }
}
