import { isPromotable } from '../../../core/affiliate/storefront.ts';
import { shownStorefronts, type Listing } from '../../../core/catalog/listing.ts';
import { countOf, fullDayText } from '../markup/figures.ts';
import { html, type Html } from '../markup/html.ts';
import { icon } from '../markup/icons.ts';
import { cookieText, paidForText } from './texts.ts';

/** Where affiliates of this service find their page. */
export const affiliatesPath = '/affiliates';

/**
 * The offer of a maker, the ways to join, and the facts. An unknown fact has no line. `promote` is shown where affiliates of
 * this service may sell the product.
 */
export function offer(listing: Listing, promote: Html): Html {
  const { compensationLabel, commissionFor, cookieDays, payoutLabel, publishedAt, contactUrl } = listing;
  const storefronts = shownStorefronts(listing);
  return html`<div class="offer">
    <p class="reward"><span class="muted small">Pays you</span><strong dir="auto">${compensationLabel}</strong></p>
    ${buttons(listing, isPromotable(listing) ? promote : null)}
    <dl class="facts">
      ${commissionFor === null ? null : fact('Paid for', html`${paidForText(commissionFor)}`)}
      ${cookieDays === null ? null : fact('Cookie lasts', html`${cookieText(cookieDays)}`)}
      ${payoutLabel === null ? null : fact('Paid out', html`<bdi>${payoutLabel}</bdi>`)}
      ${storefronts === 0 ? null : fact('Sold in', html`${countOf(storefronts, 'storefront')}`)}
      ${fact('Listed since', html`<time datetime="${publishedAt.toISOString().slice(0, 10)}">${fullDayText(publishedAt)}</time>`)}
      ${contactUrl === null ? null : fact('Questions', contact(contactUrl))}
    </dl>
  </div>`;
}

/** *Promote this*, *Join this program* and *Visit the product*. The first of those that there are is primary. */
function buttons({ joinUrl, url }: Listing, promote: Html | null): Html | null {
  if (promote === null && joinUrl === null && url === null) return null;
  const isFirst = promote === null;
  return html`<div class="buttons">
    ${promote}${
      joinUrl === null ? null : linkOut(isFirst ? 'button primary large' : 'button', joinUrl, 'Join this program')
    }${
      url === null ? null : linkOut(isFirst && joinUrl === null ? 'button primary' : 'button', url, 'Visit the product')
    }
  </div>`;
}

function linkOut(style: string, address: string, text: string): Html {
  return html`<a class="${style}" href="${address}" rel="nofollow noopener">${text}${icon('away')}</a>`;
}

function contact(address: string): Html {
  const rel = address.startsWith('mailto:') ? 'nofollow' : 'nofollow noopener';
  return html`<a href="${address}" rel="${rel}">Ask the maker</a>`;
}

function fact(term: string, value: Html): Html {
  return html`<div>
    <dt>${term}</dt>
    <dd>${value}</dd>
  </div>`;
}
