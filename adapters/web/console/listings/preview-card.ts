import { listingRules } from '../../../../core/catalog/administration/written-listing.ts';
import { cardContent } from '../../marketplace/listing-cards.ts';
import { cover, hiddenHostOf } from '../../marketplace/tile.ts';
import { html, type Html } from '../../markup/html.ts';
import { mono } from '../display/parts.ts';
import type { Typed } from '../form/fields.ts';

/**
 * The card of a listing as the marketplace shows it, of what was typed. It leads nowhere, and has the tile in place of a
 * picture, which the pages of the console do not load.
 */
export function previewCard(typed: Typed): Html {
  const listing = {
    slug: typed('slug'),
    name: typed('name'),
    blurb: typed('blurb'),
    compensationType: listingRules.compensationType.parse(typed('compensationType')) ?? 'commission',
    compensationLabel: typed('compensationLabel'),
    commissionFor: listingRules.commissionFor.parse(typed('commissionFor')),
    storefrontCount: listingRules.storefrontCount.parse(typed('storefrontCount')) ?? 0,
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

/** The members that are addresses of pictures. */
const pictures = ['imageUrl', 'pictureUrl'] as const;

/** Says of each picture why the marketplace does not show it. Pictures that it shows have no remark. */
export function pictureRemarks(typed: Typed, hosts: readonly string[]): ReadonlyMap<string, Html> {
  return new Map(
    pictures.flatMap((name) => {
      const host = hiddenHostOf(typed(name), hosts);
      return host === null ? [] : [[name, hiddenPictureText(host)] as const];
    }),
  );
}

/** Why pictures of a host are not shown. */
export function hiddenPictureText(host: string): Html {
  return html`${mono(host)} is not among the hosts of pictures (${mono('SITE_IMAGE_HOSTS')}): this picture will not be
  shown.`;
}
