import { changesOf } from '../../core/catalog/catalog-changes.ts';
import { isLive, type Listing, type ListingState } from '../../core/catalog/listing.ts';
import type { CatalogChanges, ListingKeys, Listings, LoadedCatalog, Cursor } from '../../core/catalog/listings.port.ts';
import { compareCodePoints } from '../../core/code-points.ts';
import type { MemoryStore } from './memory-store.ts';

export class MemoryListings implements Listings {
  readonly #store: MemoryStore;

  constructor(store: MemoryStore) {
    this.#store = store;
  }

  async load(): Promise<LoadedCatalog> {
    return { live: this.#changedAfter(0).filter(isLive), cursor: this.#cursor() };
  }

  async changesSince(cursor: Cursor): Promise<CatalogChanges> {
    const seen = Number(cursor);
    if (seen > this.#store.listingChanges) return { kind: 'too old' };
    const changes = seen === this.#store.listingChanges ? [] : this.#changedAfter(seen);
    return changesOf(changes, this.#cursor());
  }

  async *list(): AsyncIterable<Listing> {
    const slugs = [...this.#store.listings.keys()].toSorted(compareCodePoints);
    for (const slug of slugs) {
      const stored = this.#store.listings.get(slug);
      if (stored !== undefined) yield stored.listing;
    }
  }

  async put(listings: readonly Listing[]): Promise<readonly ('stored' | 'id taken')[]> {
    return listings.map((listing) => {
      const id = this.#store.listings.get(listing.slug)?.listing.id ?? listing.id;
      if ((this.#store.listingIds.get(id) ?? listing.slug) !== listing.slug) return 'id taken';
      this.#store.listingIds.set(id, listing.slug);
      this.#save({ ...listing, id });
      return 'stored';
    });
  }

  async findExisting({ slugs, ids }: ListingKeys<readonly string[]>): Promise<ListingKeys<ReadonlySet<string>>> {
    return {
      slugs: new Set(slugs.filter((slug) => this.#store.listings.has(slug))),
      ids: new Set(ids.filter((id) => this.#store.listingIds.has(id))),
    };
  }

  async setState(slug: string, state: ListingState): Promise<'stored' | 'unchanged' | 'not found'> {
    const stored = this.#store.listings.get(slug);
    if (stored === undefined) return 'not found';
    if (stored.listing.state === state) return 'unchanged';
    this.#save({ ...stored.listing, state });
    return 'stored';
  }

  #save(listing: Listing): void {
    this.#store.listingChanges += 1;
    this.#store.listings.set(listing.slug, { listing, change: this.#store.listingChanges });
  }

  #changedAfter(seen: number): readonly Listing[] {
    return [...this.#store.listings.values()].filter(({ change }) => change > seen).map(({ listing }) => listing);
  }

  #cursor(): Cursor {
    return String(this.#store.listingChanges);
  }
}
