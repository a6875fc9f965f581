import { shownStorefronts, type Listing } from '../../../core/catalog/listing.ts';
import { countOf } from '../markup/figures.ts';
import { html, type Html } from '../markup/html.ts';
import type { Layout } from '../markup/layout.ts';
import { addressOfCategory } from './browse-query.ts';
import { beginningOf, howLongText } from './texts.ts';
import { cover, shownPicture, tile } from './tile.ts';

/** Characters of a blurb on a card; the page of the listing has the whole. */
export const blurbLength = 160;

/** The path of a listing's page. */
export function listingPath({ slug }: Pick<Listing, 'slug'>): string {
  return `/listings/${slug}`;
}

/** `large` cards have a cover. */
export type CardSize = 'plain' | 'large';

/** Shows each listing as a card that links to its page. */
export function listingCards(
  listings: readonly Listing[],
  layout: Layout,
  size: CardSize,
  inPairs = isInPairs(listings.length),
): Html {
  const cards = listings.map((listing) => card(listing, layout, size));
  return inPairs
    ? html`<ul class="cards few">
        ${cards}
      </ul>`
    : html`<ul class="cards">
        ${cards}
      </ul>`;
}

/** Whether so few cards look better in rows of two than in rows of three. */
function isInPairs(count: number): boolean {
  return count <= 2 || count === 4;
}

function card(listing: Listing, layout: Layout, size: CardSize): Html {
  const { name, category, imageUrl, pictureUrl } = listing;
  const { imageHosts } = layout.site;
  const content = cardContent(listing, {
    image: shownPicture(imageUrl, imageHosts),
    heading: html`<h3 dir="auto"><a href="${layout.href(listingPath(listing))}">${name}</a></h3>`,
    category: html`<a href="${layout.href(addressOfCategory(category))}" dir="auto">${category}</a>`,
  });
  return size === 'large'
    ? html`<li class="card large">${cover(listing, shownPicture(pictureUrl, imageHosts))} ${content}</li> `
    : html`<li class="card">${content}</li> `;
}

/** The facts on a card of a listing beside its heading and its category. */
export type CardFacts = Pick<
  Listing,
  | 'slug'
  | 'name'
  | 'blurb'
  | 'compensationType'
  | 'compensationLabel'
  | 'commissionFor'
  | 'storefrontCount'
  | 'storefronts'
  | 'featured'
>;

/** The content of a card. Its heading and its category are links, except where a card leads nowhere. */
export function cardContent(
  listing: CardFacts,
  { image, heading, category }: { readonly image: string | null; readonly heading: Html; readonly category: Html },
): Html {
  const { blurb, compensationLabel } = listing;
  const storefronts = shownStorefronts(listing);
  return html`<div class="who" dir="auto">
      ${tile(listing, 'medium', image)}
      <div>
        ${heading}
        <p class="category">${category}${featuredBadge(listing)}</p>
      </div>
    </div>
    <p class="blurb" dir="auto">${beginningOf(blurb, blurbLength)}</p>
    <div class="pays">
      <p>
        <strong dir="auto">${compensationLabel}</strong><span class="muted">${howLongText(listing) ?? '\u200b'}</span>
      </p>
      ${storefronts === 0 ? null : html`<p class="muted num">${countOf(storefronts, 'storefront')}</p>`}
    </div>`;
}

function featuredBadge({ featured }: Pick<Listing, 'featured'>): Html | null {
  return featured ? html`<span class="badge plain brand">Featured</span>` : null;
}
