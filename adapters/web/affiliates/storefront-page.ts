import { shownCode } from '../../../core/affiliate/sale-link.ts';
import type { ShownPromotion, Storefront } from '../../../core/affiliate/storefront.ts';
import { hostOf } from '../buyers/parts.ts';
import { blurbLength, listingPath } from '../marketplace/listing-cards.ts';
import { beginningOf } from '../marketplace/texts.ts';
import { shownPicture, tile } from '../marketplace/tile.ts';
import { html, type Html } from '../markup/html.ts';
import type { Layout, Page } from '../markup/layout.ts';

/** The path of a storefront. */
export function storefrontPath(handle: string): string {
  return `/@${handle}`;
}

/** The path of the link by which an affiliate sells a listing. */
export function saleLinkPath({ handle, slug }: { readonly handle: string; readonly slug: string }): string {
  return `/go/${handle}/${encodeURIComponent(slug)}`;
}

/** Describes what everybody sees of an affiliate. */
export function storefrontPage({ affiliate, promotions }: Storefront, layout: Layout): Page {
  const { handle, name, about, url } = affiliate;
  const site =
    url === null ? null : html` · <a href="${url}" rel="nofollow ugc noopener"><bdi>${hostOf(url)}</bdi></a>`;
  return {
    title: name,
    description: `Tools that ${name} recommends.`,
    canonical: storefrontPath(handle),
    main: html`<div class="wrap">
      <div class="store">
        <header>
          ${tile({ slug: handle, name }, 'large', null)}
          <div>
            <h1 dir="auto">${name}</h1>
            <p class="muted"><span class="mono">@${handle}</span>${site}</p>
          </div>
          ${about === null ? null : html`<p class="about" dir="auto">${about}</p>`}
        </header>
        <p class="muted small"><bdi>${name}</bdi> earns a commission when you buy through these links.</p>
        <ul class="cards">
          ${promotions.map((shown) => card(shown, layout))}
        </ul>
      </div>
    </div>`,
  };
}

function card({ listing, promotion }: ShownPromotion, layout: Layout): Html {
  const { name, category, blurb, imageUrl, maker, saleUrl } = listing;
  // Without an address where a sale begins, there are codes alone.
  const path = saleUrl === null ? listingPath(listing) : saleLinkPath(promotion);
  const code = promotion.codes.at(-1);
  const says =
    code !== undefined
      ? html`<p>Use <code class="mono">${shownCode(code)}</code> at the checkout</p>`
      : maker === null
        ? null
        : html`<p>
            <span class="muted">By <bdi>${maker}</bdi></span>
          </p>`;
  return html`<li class="card sold-by">
    <div class="who" dir="auto">
      ${tile(listing, 'medium', shownPicture(imageUrl, layout.site.imageHosts))}
      <div>
        <h2 dir="auto">${name}</h2>
        <p class="category muted">${category}</p>
      </div>
    </div>
    <p class="blurb" dir="auto">${beginningOf(blurb, blurbLength)}</p>
    <div class="deal">
      ${says}<a class="button primary" href="${layout.href(path)}" rel="sponsored nofollow noopener"
        ><span>See <bdi>${name}</bdi></span></a
      >
    </div>
  </li> `;
}
