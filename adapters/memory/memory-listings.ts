import type { Call } from '../../core/call.ts';
import type { AllListings, ListingPart } from '../../core/catalog/administration/all-listings.port.ts';
import { isLive, isSameListing, type Listing, type ListingState } from '../../core/catalog/listing.ts';
import {
  changesOf,
  keptDeletions,
  type CatalogChanges,
  type Cursor,
  type ListingKeys,
  type Listings,
  type ListingToPut,
  type LoadedCatalog,
} from '../../core/catalog/listings.port.ts';
import { compareCodePoints } from '../../core/code-points.ts';
import type { ReplaceOutcome } from '../../core/compare-and-set.ts';
import { reaches, type Reach } from '../../core/reach.ts';
import type { MemoryStore } from './data/memory-store.ts';
import { firstAfter } from './data/sorted-texts.ts';

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
    const { listingChanges: last, listingDeletions, listings } = this.#store;
    if (seen > last || seen < last - keptDeletions) return { kind: 'too old' };
    if (seen === last) return changesOf([], cursor);
    const deleted = [...listingDeletions].flatMap(([slug, change]) =>
      change > seen && !listings.has(slug) ? [slug] : [],
    );
    return changesOf(this.#changedAfter(seen), this.#cursor(), deleted);
  }

  async put(listings: readonly ListingToPut[], call: Call): Promise<readonly ('stored' | 'id taken')[]> {
    return listings.map((listing) => {
      const known = this.#store.listings.get(listing.slug)?.listing;
      const id = known?.id ?? listing.id;
      if ((this.#store.listingIds.get(id) ?? listing.slug) !== listing.slug) return 'id taken';
      this.#store.listingIds.set(id, listing.slug);
      const productId = listing.productId === undefined ? (known?.productId ?? null) : listing.productId;
      const publishedAt = listing.publishedAt ?? known?.publishedAt ?? call.now;
      this.#save({ ...listing, id, productId, publishedAt, storefronts: known?.storefronts ?? 0 });
      return 'stored';
    });
  }

  async replace(seen: Listing | null, next: Listing): Promise<ReplaceOutcome> {
    const stored = this.#store.listings.get(next.slug)?.listing ?? null;
    const isIdFree = (this.#store.listingIds.get(next.id) ?? next.slug) === next.slug;
    if (!isSameListing(stored, seen) || !isIdFree) return { kind: 'stale' };
    this.#store.listingIds.set(next.id, next.slug);
    this.#save({ ...next, storefronts: stored?.storefronts ?? 0 });
    return { kind: 'replaced' };
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

  async setStorefronts(slug: string, storefronts: number): Promise<'stored' | 'unchanged' | 'not found'> {
    const stored = this.#store.listings.get(slug);
    if (stored === undefined) return 'not found';
    if (stored.listing.storefronts === storefronts) return 'unchanged';
    this.#save({ ...stored.listing, storefronts });
    return 'stored';
  }

  #save(listing: Listing): void {
    this.#store.listingChanges += 1;
    this.#store.slugs.add(listing.slug);
    this.#store.listings.set(listing.slug, { listing, change: this.#store.listingChanges });
  }

  #changedAfter(seen: number): readonly Listing[] {
    return [...this.#store.listings.values()].filter(({ change }) => change > seen).map(({ listing }) => listing);
  }

  #cursor(): Cursor {
    return String(this.#store.listingChanges);
  }
}

export class MemoryAllListings implements AllListings {
  readonly #store: MemoryStore;

  constructor(store: MemoryStore) {
    this.#store = store;
  }

  async find(slug: string): Promise<Listing | null> {
    return this.#store.listings.get(slug)?.listing ?? null;
  }

  async page({ products, state, after, limit }: ListingPart): Promise<readonly Listing[]> {
    return firstAfter(this.#store.slugs, after, limit, (slug) => {
      const listing = this.#store.listings.get(slug)?.listing ?? null;
      const isWanted = products === null || products.includes(listing?.productId ?? '');
      return isWanted && (state === null || listing?.state === state) ? listing : null;
    });
  }

  async categories(products: readonly string[] | null, limit: number): Promise<readonly string[]> {
    const all = [...this.#store.listings.values()].map(({ listing }) => listing);
    const own = all.filter(({ productId }) => products === null || products.includes(productId ?? ''));
    return [...new Set(own.map(({ category }) => category))].toSorted(compareCodePoints).slice(0, limit);
  }

  async delete(slug: string, products: Reach): Promise<0 | 1> {
    const stored = this.#store.listings.get(slug);
    if (stored === undefined || !reaches(products, stored.listing.productId)) return 0;
    this.#store.listings.delete(slug);
    this.#store.listingIds.delete(stored.listing.id);
    this.#store.slugs.delete(slug);
    this.#noteDeletion(slug);
    return 1;
  }

  #noteDeletion(slug: string): void {
    const { listingDeletions } = this.#store;
    this.#store.listingChanges += 1;
    listingDeletions.delete(slug);
    listingDeletions.set(slug, this.#store.listingChanges);
    for (const [other, change] of listingDeletions) {
      if (change > this.#store.listingChanges - keptDeletions) break;
      listingDeletions.delete(other);
    }
  }
}
