import { listingRules } from '../../../../core/catalog/administration/written-listing.ts';
import { shownStorefronts, type StorefrontCounts } from '../../../../core/catalog/listing.ts';
import { cardContent } from '../../marketplace/listing-cards.ts';
import { cover } from '../../marketplace/tile.ts';
import { numberText } from '../../markup/figures.ts';
import { html, type Html } from '../../markup/html.ts';
import type { Typed } from '../form/fields.ts';

/** The storefronts of a listing, of which those elsewhere were typed. */
function countsOf(typed: Typed, storefronts: number): StorefrontCounts {
  return { storefrontCount: listingRules.storefrontCount.parse(typed('storefrontCount')) ?? 0, storefronts };
}

/** The sum of storefronts that the marketplace shows, and its parts. */
export function storefrontsText(typed: Typed, storefronts: number): string {
  const counts = countsOf(typed, storefronts);
  const [shown, elsewhere] = [shownStorefronts(counts), counts.storefrontCount].map(numberText);
  return `${shown} shown: ${elsewhere} elsewhere, ${numberText(storefronts)} here`;
}

/**
 * The card of a listing as the marketplace shows it, of what was typed. `storefronts` are those here. It leads nowhere, and has the tile in place of a
 * picture, which the pages of the console do not load.
 */
export function previewCard(typed: Typed, storefronts: number): Html {
  const listing = {
    slug: typed('slug'),
    name: typed('name'),
    blurb: typed('blurb'),
    compensationType: listingRules.compensationType.parse(typed('compensationType')) ?? 'commission',
    compensationLabel: typed('compensationLabel'),
    commissionFor: listingRules.commissionFor.parse(typed('commissionFor')),
    ...countsOf(typed, storefronts),
    featured: typed('featured') === 'true',
  };
  return html`<div class="card large">
    ${cover(listing, null)}
    ${cardContent(listing, {
      image: null,
      heading: listing.name === '' ? html`<h3 class="muted">Name</h3>` : html`<h3 dir="auto">${listing.name}</h3>`,
      category: html`<span dir="auto">${typed('category')}</span>`,
    })}
  </div>`;
}
