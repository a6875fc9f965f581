import type { Listing } from '../../../core/catalog/listing.ts';
import { formattedText } from '../markup/formatted-text.ts';
import { html, type Html } from '../markup/html.ts';
import type { Layout, Page } from '../markup/layout.ts';
import { addressOfCategory } from './browse-query.ts';
import { listingCards, listingPath } from './listing-cards.ts';
import { affiliatesPath, offer } from './offer.ts';
import { beginningOf } from './texts.ts';
import { largePicture, shownPicture, tile } from './tile.ts';

/** Describes the page of one listing. `others` are of its category. */
export function listingDetailPage(listing: Listing, others: readonly Listing[], layout: Layout): Page {
  const { name, blurb, category } = listing;
  const { imageHosts } = layout.site;
  const image = shownPicture(listing.imageUrl, imageHosts);
  const picture = shownPicture(listing.pictureUrl, imageHosts);
  return {
    title: name,
    description: beginningOf(blurb === '' ? `${name}, ${listing.compensationLabel}` : blurb, 160),
    canonical: listingPath(listing),
    isProduct: true,
    image: picture ?? image,
    head: [alternate(listing, layout)],
    data: [productData(listing, picture ?? image, layout)],
    main: html`<div class="wrap">
      <article class="listing full">
        ${breadcrumb(listing, layout)}
        ${listingContent(listing, {
          image,
          picture: picture === null ? null : largePicture(listing, picture),
          heading: html`<h1 dir="auto">${name}</h1>`,
          category: categoryLink(category, layout),
          promote: promoteLink(listing, layout),
        })}
      </article>
      ${others.length === 0 ? null : related(category, others, layout)}
    </div>`,
  };
}

function alternate({ slug }: Listing, layout: Layout): Html {
  return html`<link
    rel="alternate"
    type="application/json"
    href="${layout.href(`/api/marketplace/listings/${slug}`)}"
  /> `;
}

/** The data of a listing for search engines. */
function productData({ id, name, blurb, category, slug }: Listing, picture: string | null, layout: Layout): object {
  return {
    '@context': 'https://schema.org',
    '@type': 'Product',
    name,
    description: blurb,
    category,
    sku: id,
    url: layout.url(listingPath({ slug })),
    ...(picture === null ? {} : { image: picture }),
  };
}

function breadcrumb({ name, category }: Listing, layout: Layout): Html {
  return html`<nav class="crumbs" aria-label="Breadcrumb">
    <ol>
      <li><a href="${layout.href('/')}">Marketplace</a></li>
      <li>${categoryLink(category, layout)}</li>
      <li><span aria-current="page" dir="auto">${name}</span></li>
    </ol>
  </nav>`;
}

/** The place of a listing's page in the site. */
export interface ListingPlace {
  /** The address of its image; null for the tile. */
  readonly image: string | null;
  /** Above the description; null without a picture. */
  readonly picture: Html | null;
  /** Its name. */
  readonly heading: Html;
  readonly category: Html;
  /** *Promote this*, for a listing that affiliates may promote. */
  readonly promote: Html;
}

/** The content of the page of a listing: its introduction, its offer, and its description. */
export function listingContent(listing: Listing, place: ListingPlace): Html {
  return html`${intro(listing, place)} ${offer(listing, place.promote)} ${more(listing, place.picture)}`;
}

function intro(listing: Listing, { image, heading, category }: ListingPlace): Html {
  const { blurb } = listing;
  return html`<div class="intro">
    <div class="who">
      ${tile(listing, 'large', image)}
      <div>
        ${heading}
        <p>${makerOf(listing)}in ${category}</p>
      </div>
    </div>
    ${blurb === '' ? null : html`<p class="lead" dir="auto">${blurb}</p>`}
  </div>`;
}

/** "by MAKER ", linked where the maker has a page. */
function makerOf({ maker, makerUrl }: Listing): Html | null {
  if (maker === null) return null;
  if (makerUrl === null) return html`by <bdi>${maker}</bdi> `;
  return html`by <a href="${makerUrl}" rel="nofollow noopener" dir="auto">${maker}</a> `;
}

/** The picture and the description; nothing if the listing has neither. */
function more({ description }: Listing, picture: Html | null): Html | null {
  const text = description === null || description.trim() === '' ? null : formattedText(description);
  if (text === null && picture === null) return null;
  return html`<div class="more">
    ${picture} ${text === null ? null : html`<div class="prose" dir="auto">${text}</div>`}
  </div>`;
}

function categoryLink(category: string, layout: Layout): Html {
  return html`<a href="${layout.href(addressOfCategory(category))}" dir="auto">${category}</a>`;
}

function promoteLink({ slug }: Listing, layout: Layout): Html {
  return html`<a class="button primary large" href="${layout.href(`${affiliatesPath}?listing=${slug}`)}"
    >Promote this</a
  >`;
}

function related(category: string, others: readonly Listing[], layout: Layout): Html {
  return html`<section class="related" aria-labelledby="related">
    <h2 id="related">More in <bdi>${category}</bdi></h2>
    ${listingCards(others, layout, 'plain')}
  </section>`;
}
