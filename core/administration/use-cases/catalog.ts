import { pauseListing, publishListing, publishSeenListing } from '../../catalog/administration/change-listing-state.ts';
import { dryRunOfListings, importListings } from '../../catalog/administration/import-listings.ts';
import { everyListing, listCategories, listListings } from '../../catalog/administration/list-listings.ts';
import { deleteListing, putListing, saveDraft, saveListing } from '../../catalog/administration/put-listing.ts';
import { allowedWhere, ofProducts } from '../../tenant/limits.ts';
import type { Parts } from './parts.ts';

/** Listings. */
export function catalogOf({ ports: { allListings, listings, products }, platform: { newListingId } }: Parts) {
  const save = allowedWhere(
    saveListing(listings, products, newListingId),
    (_mine, _seen, { productId }) => productId !== null && productId !== undefined,
  );
  return ofProducts({
    importListings: importListings(listings, allListings, products, newListingId),
    dryRunOfListings: dryRunOfListings(listings, allListings, products, newListingId),
    putListing: putListing(listings, allListings, products, newListingId),
    saveListing: save,
    saveDraft: saveDraft(save),
    listListings: listListings(allListings),
    everyListing: everyListing(allListings),
    listCategories: listCategories(allListings),
    findListing: allListings.find.bind(allListings),
    deleteListing: deleteListing(allListings),
    pauseListing: pauseListing(listings),
    publishListing: publishListing(listings),
    publishSeenListing: publishSeenListing(listings, allListings),
  });
}
