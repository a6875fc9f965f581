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

/** The address of a listing's image if it is on one of these hosts, as `SITE_IMAGE_HOSTS` names them; otherwise null. */
export function shownImage({ imageUrl }: Pick<Listing, 'imageUrl'>, hosts: readonly string[]): string | null {
  const host = imageUrl === null ? undefined : URL.parse(imageUrl)?.host;
  return host !== undefined && hosts.includes(host) ? imageUrl : null;
}

function hueOf(slug: string): number {
  let hash = 0;
  for (let index = 0; index < slug.length; index += 1) hash = (Math.imul(hash, 31) + slug.charCodeAt(index)) >>> 0;
  return (hash % hues) + 1;
}

function initialOf(name: string): string {
  return /[\p{L}\p{N}]/u.exec(name)?.[0] ?? '·';
}
