import { commissionForRule } from '../../../core/catalog/administration/written-listing.ts';
import type { AffiliatePolicy } from '../../../core/catalog/affiliate-members.ts';
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
  readonly description: string | null;
  readonly join_url: string | null;
  /** A number of months in digits, or a word. */
  readonly commission_for: string | null;
  readonly cookie_days: number | null;
  readonly payout_label: string | null;
  readonly maker: string | null;
  readonly maker_url: string | null;
  readonly contact_url: string | null;
  readonly picture_url: string | null;
  readonly picture_alt: string | null;
  readonly product_id: string | null;
  readonly affiliates: AffiliatePolicy;
  readonly sale_url: string | null;
  readonly hold_days: number;
  /** The number of live promotions. */
  readonly storefronts: number;
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
  description: true,
  join_url: true,
  commission_for: true,
  cookie_days: true,
  payout_label: true,
  maker: true,
  maker_url: true,
  contact_url: true,
  picture_url: true,
  picture_alt: true,
  product_id: true,
  affiliates: true,
  sale_url: true,
  hold_days: true,
  storefronts: true,
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
    description: listing.description,
    join_url: listing.joinUrl,
    commission_for: listing.commissionFor === null ? null : String(listing.commissionFor),
    cookie_days: listing.cookieDays,
    payout_label: listing.payoutLabel,
    maker: listing.maker,
    maker_url: listing.makerUrl,
    contact_url: listing.contactUrl,
    picture_url: listing.pictureUrl,
    picture_alt: listing.pictureAlt,
    product_id: listing.productId,
    affiliates: listing.affiliates,
    sale_url: listing.saleUrl,
    hold_days: listing.holdDays,
    storefronts: listing.storefronts,
    change,
  };
}

export function fromListingRow(row: ListingRow): Listing {
  return {
    id: row.id,
    slug: row.slug,
    productId: row.product_id,
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
    description: row.description,
    joinUrl: row.join_url,
    commissionFor: row.commission_for === null ? null : commissionForRule.parse(row.commission_for),
    cookieDays: row.cookie_days,
    payoutLabel: row.payout_label,
    maker: row.maker,
    makerUrl: row.maker_url,
    contactUrl: row.contact_url,
    pictureUrl: row.picture_url,
    pictureAlt: row.picture_alt,
    affiliates: row.affiliates,
    saleUrl: row.sale_url,
    holdDays: row.hold_days,
    storefronts: row.storefronts,
  };
}
