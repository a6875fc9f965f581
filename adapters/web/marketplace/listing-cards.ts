import type { Listing } from '../../../core/catalog/listing.ts';
import { html, type Html } from '../markup/html.ts';
import type { Layout } from '../markup/layout.ts';
import { addressOfCategory } from './browse-query.ts';
import { beginningOf, numberText } from './texts.ts';
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
  const { name, blurb, category, compensationLabel, storefrontCount } = listing;
  const link = html`<a href="${layout.href(listingPath(listing))}">${name}</a>`;
  return html`<li class="card">
    <div class="who" dir="auto">
      ${tile(listing, 'medium', shownImage(listing, layout.site.imageHosts))}
      <div>
        ${level === 2 ? html`<h2 dir="auto">${link}</h2>` : html`<h3 dir="auto">${link}</h3>`}
        <p class="category">
          <a href="${layout.href(addressOfCategory(category))}" dir="auto">${category}</a>${featuredBadge(listing)}
        </p>
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
    </dl>
  </li> `;
}

function featuredBadge({ featured }: Listing): Html | null {
  return featured ? html`<span class="badge plain brand">Featured</span>` : null;
}
