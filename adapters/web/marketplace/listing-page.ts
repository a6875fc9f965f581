import type { Listing } from '../../../core/catalog/listing.ts';
import { html, type Html } from '../markup/html.ts';
import type { Layout, Page } from '../markup/layout.ts';
import { addressOfCategory } from './browse-query.ts';
import { featuredBadge, listingPath } from './listing-cards.ts';
import { beginningOf, compensationTexts, countText, numberText } from './texts.ts';

/** Describes the page of one listing. */
export function listingDetailPage(listing: Listing, layout: Layout): Page {
  const { name, blurb, category, slug } = listing;
  const path = listingPath(listing);
  return {
    title: name,
    description: beginningOf(blurb === '' ? `${name}, ${listing.compensationLabel}` : blurb, 160),
    canonical: path,
    isProduct: true,
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
      },
    ],
    main: html`<article class="listing">
      <p class="category">
        <a href="${layout.href(addressOfCategory(category))}"><bdi>${category}</bdi></a
        >${featuredBadge(listing)}
      </p>
      <h1 dir="auto">${name}</h1>
      <p class="blurb" dir="auto">${blurb}</p>
      <dl>
        ${fact('Reward', html`<strong><bdi>${listing.compensationLabel}</bdi></strong>`)}
        ${fact('Compensation', html`${compensationTexts[listing.compensationType]}`)}
        ${fact('Commission', html`${numberText(listing.commissionPercent)}%`)}
        ${fact('Reach', html`${countText(listing.storefrontCount, 'storefront')}`)}
      </dl>
      <p class="actions">
        <a class="button primary" href="${layout.href('/waitlist')}">Join the waitlist</a>
        <a href="${layout.href('/')}">All listings</a>
      </p>
    </article>`,
  };
}

function fact(term: string, value: Html): Html {
  return html`<div>
    <dt>${term}</dt>
    <dd>${value}</dd>
  </div>`;
}
