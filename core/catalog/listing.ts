export const compensationTypes = ['commission', 'upfront', 'both'] as const;

export type CompensationType = (typeof compensationTypes)[number];

/** Only `live` listings are shown. To the public, a listing in another state does not exist. */
export const listingStates = ['draft', 'live', 'paused'] as const;

export type ListingState = (typeof listingStates)[number];

export interface Listing {
  /** Unique over the catalog, and fixed for as long as the slug exists. */
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly blurb: string;
  readonly category: string;
  readonly commissionPercent: number;
  readonly compensationType: CompensationType;
  readonly compensationLabel: string;
  readonly featured: boolean;
  readonly storefrontCount: number;
  readonly state: ListingState;
  readonly publishedAt: Date;
  readonly upfrontCents: number;
  /** The product's own page, an https URL. Pages show it, and no public answer does. */
  readonly url: string | null;
  /** An image of the product, an https URL. Pages show it, and no public answer does. */
  readonly imageUrl: string | null;
}

export function isLive({ state }: Listing): boolean {
  return state === 'live';
}
