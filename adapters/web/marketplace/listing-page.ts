import type { Listing } from '../../../core/catalog/listing.ts';
import { countOf, fullDayText } from '../markup/figures.ts';
import { html, type Html } from '../markup/html.ts';
import { icon } from '../markup/icons.ts';
import type { Layout, Page } from '../markup/layout.ts';
import { addressOfCategory } from './browse-query.ts';
import { listingCards, listingPath } from './listing-cards.ts';
import { beginningOf } from './texts.ts';
import { shownImage, tile } from './tile.ts';

/** Describes the page of one listing. `others` are of its category. */
export function listingDetailPage(listing: Listing, others: readonly Listing[], layout: Layout): Page {
  const { name, blurb, category, slug } = listing;
  const path = listingPath(listing);
  const image = shownImage(listing, layout.site.imageHosts);
  return {
    title: name,
    description: beginningOf(blurb === '' ? `${name}, ${listing.compensationLabel}` : blurb, 160),
    canonical: path,
    isProduct: true,
    image,
    head: [
      html`<link
        rel="alternate"
        type="application/json"
        href="${layout.href(`/api/marketplace/listings/${slug}`)}"
      /> `,
    ],
    data: [
      {
        '@context': 'https://schema.org',
        '@type': 'Product',
        name,
        description: blurb,
        category,
        sku: listing.id,
        url: layout.url(path),
        ...(image === null ? {} : { image }),
      },
    ],
    main: html`<div class="wrap">
      <article class="listing">
        ${breadcrumb(listing, layout)}
        <div class="intro" dir="auto">
          ${tile(listing, 'large', image)}
          <h1>${name}</h1>
          ${blurb === '' ? null : html`<p class="lead" dir="auto">${blurb}</p>`}
        </div>
        ${offer(listing, layout)}
      </article>
      ${others.length === 0 ? null : related(category, others, layout)}
    </div>`,
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

/** What the maker pays, and the facts about the listing. */
function offer({ url, compensationLabel, storefrontCount, publishedAt, category }: Listing, layout: Layout): Html {
  const visit =
    url === null
      ? null
      : html`<a class="button primary" href="${url}" rel="nofollow noopener">Visit the product${icon('away')}</a>`;
  return html`<div class="offer">
    <p class="reward"><span class="muted small">Pays you</span><strong dir="auto">${compensationLabel}</strong></p>
    ${visit}
    <dl class="facts">
      ${fact('Sold in', html`${countOf(storefrontCount, 'storefront')}`)}
      ${fact('Listed since', html`<time datetime="${publishedAt.toISOString().slice(0, 10)}">${fullDayText(publishedAt)}</time>`)}
      ${fact('Category', categoryLink(category, layout))}
    </dl>
  </div>`;
}

function fact(term: string, value: Html): Html {
  return html`<div>
    <dt>${term}</dt>
    <dd>${value}</dd>
  </div>`;
}

function categoryLink(category: string, layout: Layout): Html {
  return html`<a href="${layout.href(addressOfCategory(category))}" dir="auto">${category}</a>`;
}

function related(category: string, others: readonly Listing[], layout: Layout): Html {
  return html`<section class="related" aria-labelledby="related">
    <h2 id="related">More in <bdi>${category}</bdi></h2>
    ${listingCards(others, layout, 3)}
  </section>`;
}
