import type { Listing } from '../../../core/catalog/listing.ts';
import { html, type Html } from '../markup/html.ts';
import type { Layout } from '../markup/layout.ts';
import { beginningOf, countText } from './texts.ts';

/** Characters of a blurb on a card; the page of the listing has the whole. */
const blurbLength = 160;

/** The path of a listing's page. */
export function listingPath({ slug }: Pick<Listing, 'slug'>): string {
  return `/listings/${slug}`;
}

/** Shows each listing as a card that links to its page. */
export function listingCards(listings: readonly Listing[], layout: Layout): Html {
  return html`<ul class="cards">
    ${listings.map(
      (listing) =>
        html`<li class="card">
          <p class="category"><bdi>${listing.category}</bdi>${featuredBadge(listing)}</p>
          <h2 dir="auto"><a href="${layout.href(listingPath(listing))}">${listing.name}</a></h2>
          <p class="blurb" dir="auto">${beginningOf(listing.blurb, blurbLength)}</p>
          <p class="terms">
            <strong><bdi>${listing.compensationLabel}</bdi></strong>
            <span>${countText(listing.storefrontCount, 'storefront')}</span>
          </p>
        </li> `,
    )}
  </ul>`;
}

export function featuredBadge({ featured }: Listing): Html | null {
  return featured ? html` <span class="badge">Featured</span>` : null;
}
