import type { CompensationType, Listing, ListingState } from '../../../core/catalog/listing.ts';
import { table } from '../engine/table.ts';

/** A row of `listings`. Instants are milliseconds since 1970. */
export interface ListingRow {
  readonly slug: string;
  readonly id: string;
  readonly name: string;
  readonly blurb: string;
  readonly category: string;
  readonly commission_percent: number;
  readonly compensation_type: CompensationType;
  readonly compensation_label: string;
  readonly featured: 0 | 1;
  readonly storefront_count: number;
  readonly state: ListingState;
  readonly published_at: number;
  readonly upfront_cents: number;
  readonly url: string | null;
  readonly image_url: string | null;
  /** The number of its latest change: see `ListingChanges`. */
  readonly change: number;
}

export const listingsTable = table<ListingRow>('listings', {
  slug: true,
  id: true,
  name: true,
  blurb: true,
  category: true,
  commission_percent: true,
  compensation_type: true,
  compensation_label: true,
  featured: true,
  storefront_count: true,
  state: true,
  published_at: true,
  upfront_cents: true,
  url: true,
  image_url: true,
  change: true,
});

export function toListingRow(listing: Listing, change: number): ListingRow {
  return {
    slug: listing.slug,
    id: listing.id,
    name: listing.name,
    blurb: listing.blurb,
    category: listing.category,
    commission_percent: listing.commissionPercent,
    compensation_type: listing.compensationType,
    compensation_label: listing.compensationLabel,
    featured: listing.featured ? 1 : 0,
    storefront_count: listing.storefrontCount,
    state: listing.state,
    published_at: listing.publishedAt.getTime(),
    upfront_cents: listing.upfrontCents,
    url: listing.url,
    image_url: listing.imageUrl,
    change,
  };
}

export function fromListingRow(row: ListingRow): Listing {
  return {
    id: row.id,
    slug: row.slug,
    name: row.name,
    blurb: row.blurb,
    category: row.category,
    commissionPercent: row.commission_percent,
    compensationType: row.compensation_type,
    compensationLabel: row.compensation_label,
    featured: row.featured === 1,
    storefrontCount: row.storefront_count,
    state: row.state,
    publishedAt: new Date(row.published_at),
    upfrontCents: row.upfront_cents,
    url: row.url,
    imageUrl: row.image_url,
  };
}
