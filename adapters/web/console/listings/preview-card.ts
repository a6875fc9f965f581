import { countRule } from '../../../../core/parsing/value-rule.ts';
import { cardContent } from '../../marketplace/listing-cards.ts';
import { shownImage } from '../../marketplace/tile.ts';
import { html, type Html } from '../../markup/html.ts';
import { mono, note } from '../display/parts.ts';
import type { Typed } from '../form/fields.ts';

/**
 * The card of a listing as the marketplace shows it, of what was typed. It leads nowhere, and has the tile in place of an
 * image, which the pages of the console do not load.
 */
export function previewCard(typed: Typed): Html {
  const listing = {
    slug: typed('slug'),
    name: typed('name'),
    blurb: typed('blurb'),
    compensationLabel: typed('compensationLabel'),
    storefrontCount: countRule.parse(typed('storefrontCount')) ?? 0,
    featured: typed('featured') === 'true',
  };
  return html`<article class="card">
    ${cardContent(listing, {
      image: null,
      heading: listing.name === '' ? html`<h3 class="muted">Name</h3>` : html`<h3 dir="auto">${listing.name}</h3>`,
      category: html`<span class="muted" dir="auto">${typed('category')}</span>`,
    })}
  </article>`;
}

/** Says why the marketplace does not show the image of a listing; null if it does, or if the listing has no image. */
export function imageNote(imageUrl: string, hosts: readonly string[]): Html | null {
  const host = URL.parse(imageUrl)?.host;
  if (host === undefined || shownImage({ imageUrl }, hosts) !== null) return null;
  return note(
    'warn',
    'The marketplace does not show this image.',
    html`<p>
      It shows images from the hosts in the setting ${mono('SITE_IMAGE_HOSTS')} only, and ${mono(host)} is not one of
      them.
    </p>`,
  );
}
