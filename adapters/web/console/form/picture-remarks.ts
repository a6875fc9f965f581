import { hiddenHostOf } from '../../marketplace/tile.ts';
import { html, type Html } from '../../markup/html.ts';
import { mono } from '../display/parts.ts';
import type { Typed } from './fields.ts';

/** The members of listings and products that are addresses of pictures. */
const pictures = ['imageUrl', 'pictureUrl', 'iconUrl'] as const;

/** Says of each picture of a form why no page shows it. Pictures that it shows have no remark. */
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
