import type { OpenedAffiliate } from '../../../core/affiliate/affiliate-links.ts';
import type { Earnings } from '../../../core/affiliate/closing/earnings.ts';
import type { Promotion } from '../../../core/affiliate/promotion.ts';
import type { FindLive } from '../../../core/affiliate/storefront.ts';
import type { Listing } from '../../../core/catalog/listing.ts';
import type { Html } from '../markup/html.ts';
import type { Layout } from '../markup/layout.ts';
import type { Details } from './details-form.ts';

/** An affiliate's own page, as one request shows it. */
export interface OwnPage extends OpenedAffiliate {
  readonly layout: Layout;
  /** Whether affiliates are mailed links to it. */
  readonly isMailed: boolean;
  /** The address of the page. */
  readonly path: string;
  /** Every promotion of the affiliate. */
  readonly promotions: readonly Promotion[];
  readonly findLive: FindLive;
  /** The other listings that the affiliate may promote. The first is preselected. */
  readonly offers: readonly Listing[];
  /** Whether there are more of them. */
  readonly hasMoreOffers: boolean;
  readonly earnings: Earnings;
  /** The cursor from which statements are shown; null for the newest. */
  readonly statementsAfter: string | null;
  readonly now: Date;
  /** The outcome of a change, or why it was refused; null for none. */
  readonly note: Html | null;
  /** The details as they are stored, or as they were typed. */
  readonly details: Details;
}

/**
 * The other listings that an affiliate may promote. A promotion that has ended can be asked for again, as long as the
 * listing is for the same product. `first` is the listing that the affiliate came from.
 */
export function offersTo(
  promotions: readonly Promotion[],
  promotable: readonly Listing[],
  first: string | null,
): readonly Listing[] {
  const bySlug = new Map(promotions.map((promotion) => [promotion.slug, promotion]));
  const offers = promotable.filter(({ slug, productId }) => {
    const known = bySlug.get(slug);
    return known === undefined || (known.state === 'ended' && known.productId === productId);
  });
  const chosen = offers.find(({ slug }) => slug === first);
  return chosen === undefined ? offers : [chosen, ...offers.filter((each) => each !== chosen)];
}
