import type { Listing } from '../../../core/catalog/listing.ts';
import { numberText } from '../markup/figures.ts';
import { html, type Html } from '../markup/html.ts';
import type { Layout } from '../markup/layout.ts';
import { addressOfCategory } from './browse-query.ts';
import { beginningOf } from './texts.ts';
import { shownImage, tile } from './tile.ts';

/** Characters of a blurb on a card; the page of the listing has the whole. */
const blurbLength = 160;

/** The path of a listing's page. */
export function listingPath({ slug }: Pick<Listing, 'slug'>): string {
  return `/listings/${slug}`;
}

/** Shows each listing as a card that links to its page. `level` is that of the cards' headings. */
export function listingCards(listings: readonly Listing[], layout: Layout, level: 2 | 3): Html {
  const cards = listings.map((listing) => card(listing, layout, level));
  return isInPairs(listings.length)
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

function card(listing: Listing, layout: Layout, level: 2 | 3): Html {
  const { name, category } = listing;
  const link = html`<a href="${layout.href(listingPath(listing))}">${name}</a>`;
  return html`<li class="card">
    ${cardContent(listing, {
      image: shownImage(listing, layout.site.imageHosts),
      heading: level === 2 ? html`<h2 dir="auto">${link}</h2>` : html`<h3 dir="auto">${link}</h3>`,
      category: html`<a href="${layout.href(addressOfCategory(category))}" dir="auto">${category}</a>`,
    })}
  </li> `;
}

/** What a card shows of a listing beside its heading and its category. */
export type CardFacts = Pick<Listing, 'slug' | 'name' | 'blurb' | 'compensationLabel' | 'storefrontCount' | 'featured'>;

/** The content of a card. Its heading and its category are links, except where a card leads nowhere. */
export function cardContent(
  listing: CardFacts,
  { image, heading, category }: { readonly image: string | null; readonly heading: Html; readonly category: Html },
): Html {
  const { blurb, compensationLabel, storefrontCount } = listing;
  return html`<div class="who" dir="auto">
      ${tile(listing, 'medium', image)}
      <div>
        ${heading}
        <p class="category">${category}${featuredBadge(listing)}</p>
      </div>
    </div>
    <p class="blurb" dir="auto">${beginningOf(blurb, blurbLength)}</p>
    <dl class="terms">
      <div>
        <dt>Pays</dt>
        <dd dir="auto">${compensationLabel}</dd>
      </div>
      <div>
        <dt>Storefronts</dt>
        <dd>${numberText(storefrontCount)}</dd>
      </div>
    </dl>`;
}

function featuredBadge({ featured }: Pick<Listing, 'featured'>): Html | null {
  return featured ? html`<span class="badge plain brand">Featured</span>` : null;
}
