import type { AffiliateMembers } from './affiliate-members.ts';
import type { PageMembers } from './page-members.ts';

export const compensationTypes = ['commission', 'upfront', 'both'] as const;

export type CompensationType = (typeof compensationTypes)[number];

/** Only `live` listings are shown. To the public, a listing in another state does not exist. */
export const listingStates = ['draft', 'live', 'paused'] as const;

export type ListingState = (typeof listingStates)[number];

export interface Listing extends PageMembers, AffiliateMembers {
  /** Unique over the catalog, and fixed for as long as the slug exists. */
  readonly id: string;
  readonly slug: string;
  /** The product whose merchant looks after the listing; null for the owner of the service. No public answer shows it. */
  readonly productId: string | null;
  readonly name: string;
  readonly blurb: string;
  readonly category: string;
  readonly commissionPercent: number;
  readonly compensationType: CompensationType;
  readonly compensationLabel: string;
  readonly featured: boolean;
  /** Storefronts elsewhere, as the administrator says. */
  readonly storefrontCount: number;
  /** Live promotions by affiliates of this service. Only `Listings.setStorefronts` changes it. */
  readonly storefronts: number;
  readonly state: ListingState;
  readonly publishedAt: Date;
  readonly upfrontCents: number;
}

/** Counts the storefronts that everybody sees, by which listings are sorted and filtered: those elsewhere and those here. */
export function shownStorefronts({ storefrontCount, storefronts }: StorefrontCounts): number {
  return storefrontCount + storefronts;
}

/** The storefronts of a listing, elsewhere and here. */
export type StorefrontCounts = Pick<Listing, 'storefrontCount' | 'storefronts'>;

/** Whether two listings are equal in every member that an administrator writes. Null is no listing. */
export function isSameListing(a: Listing | null, b: Listing | null): boolean {
  if (a === null || b === null) return a === b;
  const others = new Map<string, unknown>(Object.entries(b));
  return Object.entries(a).every(([member, value]: readonly [string, unknown]) => {
    if (member === 'storefronts') return true;
    const other = others.get(member);
    return value instanceof Date && other instanceof Date ? value.getTime() === other.getTime() : value === other;
  });
}

export function isLive({ state }: Listing): boolean {
  return state === 'live';
}
