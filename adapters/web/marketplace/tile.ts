import type { Listing } from '../../../core/catalog/listing.ts';
import { html, type Html } from '../markup/html.ts';

/** The sizes of tiles, as classes of the style sheet. */
export type TileSize = 'small' | 'medium' | 'large';

/** The hues that the style sheet has, `hue-1` to `hue-12`. */
const hues = 12;

/**
 * Shows an image of a listing, or the first letter or digit of its name on a color that follows from its slug, so that a
 * listing looks the same wherever it stands. `image` must be an address that the content policy allows.
 */
export function tile({ slug, name }: Pick<Listing, 'slug' | 'name'>, size: TileSize, image: string | null): Html {
  const classes = `tile${size === 'medium' ? '' : ` ${size}`} hue-${hueOf(slug)}`;
  const content =
    image === null
      ? html`${initialOf(name)}`
      : html`<img src="${image}" alt="" loading="lazy" decoding="async" referrerpolicy="no-referrer" />`;
  return html`<span class="${classes}" aria-hidden="true">${content}</span>`;
}

/** The address of a picture if it is on one of these hosts, as `SITE_IMAGE_HOSTS` names them; otherwise null. */
export function shownPicture(address: string | null, hosts: readonly string[]): string | null {
  const host = address === null ? undefined : URL.parse(address)?.host;
  return host !== undefined && hosts.includes(host) ? address : null;
}

/** The host of a picture that is not shown, because it is not one of these; null for a picture that is shown, and for no URL. */
export function hiddenHostOf(address: string, hosts: readonly string[]): string | null {
  const host = URL.parse(address)?.host ?? '';
  return host === '' || hosts.includes(host) ? null : host;
}

/**
 * Shows what stands at the head of a large card: the wide picture of a listing, or its tile on a field in its hue.
 * `picture` must be an address that the content policy allows.
 */
export function cover(listing: Pick<Listing, 'slug' | 'name'>, picture: string | null): Html {
  const content =
    picture === null
      ? tile(listing, 'large', null)
      : html`<img src="${picture}" alt="" loading="lazy" decoding="async" referrerpolicy="no-referrer" />`;
  return html`<div class="cover hue-${hueOf(listing.slug)}">${content}</div>`;
}

/** Shows the wide picture of a listing on its page. Its text may be empty. */
export function largePicture({ slug, pictureAlt }: Pick<Listing, 'slug' | 'pictureAlt'>, picture: string): Html {
  return html`<div class="cover hue-${hueOf(slug)}">
    <img src="${picture}" alt="${pictureAlt ?? ''}" decoding="async" referrerpolicy="no-referrer" />
  </div>`;
}

function hueOf(slug: string): number {
  let hash = 0;
  for (let index = 0; index < slug.length; index += 1) hash = (Math.imul(hash, 31) + slug.charCodeAt(index)) >>> 0;
  return (hash % hues) + 1;
}

function initialOf(name: string): string {
  return /[\p{L}\p{N}]/u.exec(name)?.[0] ?? '·';
}
