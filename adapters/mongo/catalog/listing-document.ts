import type { Listing } from '../../../core/catalog/listing.ts';

/** A document of `listings`: a listing under its slug. */
export type ListingDocument = { readonly _id: string } & Omit<Listing, 'slug'>;

export function toListingDocument({ slug, ...facts }: Listing): ListingDocument {
  return { _id: slug, ...facts };
}

export function fromListingDocument({ _id, ...facts }: ListingDocument): Listing {
  return { slug: _id, ...facts };
}
