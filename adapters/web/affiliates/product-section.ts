import type { Promotion, PromotionState } from '../../../core/affiliate/promotion.ts';
import { shownCode } from '../../../core/affiliate/sale-link.ts';
import { lastTerms } from '../../../core/affiliate/sale/terms.ts';
import { compareNewest, shownPromotion } from '../../../core/affiliate/storefront.ts';
import type { Listing } from '../../../core/catalog/listing.ts';
import { shownPicture, tile } from '../marketplace/tile.ts';
import { badge, type Tone } from '../markup/badge.ts';
import { fullDayText } from '../markup/figures.ts';
import { html, type Html } from '../markup/html.ts';
import type { OwnPage } from './own-view.ts';
import { saleLinkPath } from './storefront-page.ts';
import { offeredTerms, shortTermsText, termsText } from './terms-texts.ts';

/** The states of promotions in the order in which they are shown. */
const states: Readonly<Record<PromotionState, readonly [tone: Tone, word: string]>> = {
  live: ['ok', 'Live'],
  asked: ['warn', 'Waits for approval'],
  ended: ['over', 'Ended'],
};

const order = Object.keys(states);

/** The promotions of an affiliate, and what may be promoted besides. */
export function productSection(own: OwnPage): Html {
  const { promotions } = own;
  const sorted = promotions.toSorted((a, b) => order.indexOf(a.state) - order.indexOf(b.state) || compareNewest(a, b));
  const list =
    sorted.length === 0
      ? html`<p>You promote nothing yet.</p>`
      : html`<ul class="things">
          ${sorted.map((promotion) => item(own, promotion))}
        </ul>`;
  return html`${list} ${offerForm(own)}`;
}

function item(own: OwnPage, promotion: Promotion): Html {
  const { layout, path } = own;
  const { slug, state } = promotion;
  const listing = own.findLive(slug);
  const name = listing?.name ?? slug;
  const picture = shownPicture(listing?.imageUrl ?? null, layout.site.imageHosts);
  const end = html`<a class="button" href="${path}/promotions/${encodeURIComponent(slug)}/end"
    >End<span class="hidden"> ${name}</span></a
  >`;
  return html`<li>
    ${tile({ slug, name }, 'small', picture)}
    <div>
      <p><strong dir="auto">${name}</strong> ${badge(...states[state])}</p>
      ${factsOf(own, promotion, listing)}
    </div>
    ${state === 'ended' ? null : end}
  </li> `;
}

function factsOf({ layout }: OwnPage, promotion: Promotion, listing: Listing | null): Html {
  const { state, askedAt, terms, codes } = promotion;
  if (state === 'asked') return small(`Asked on ${fullDayText(askedAt)}`);
  const last = terms.at(-1);
  if (state === 'ended') return small(last === undefined ? 'Not approved' : `Until ${fullDayText(last.from)}`);
  const agreed = lastTerms(terms);
  const says = agreed === null ? null : small(termsText(agreed));
  if (shownPromotion(promotion, listing) === null) {
    return html`${says} ${small('The seller does not offer it now. Your link leads nowhere until then.')}`;
  }
  const name = listing?.name ?? '';
  const link = html`<code
    class="secret"
    tabindex="0"
    role="textbox"
    aria-readonly="true"
    aria-label="${`Link to ${name}`}"
    >${layout.url(saleLinkPath(promotion))}</code
  >`;
  const noLink = small('The seller has not said where a sale begins, so there is no link.');
  return html`${says}${listing?.saleUrl === null ? noLink : link}${codes.length === 0 ? null : codeLine(codes)}`;
}

function small(text: string): Html {
  return html`<p class="muted small">${text}</p>`;
}

function codeLine(codes: readonly string[]): Html {
  const shown = codes.map(
    (code, index) => html`${index === 0 ? '' : ', '}<code class="mono">${shownCode(code)}</code>`,
  );
  return codes.length === 1
    ? html`<p class="muted small">Code ${shown} counts for you, with your link or without it.</p>`
    : html`<p class="muted small">Codes ${shown} count for you, with your link or without it.</p>`;
}

function offerForm({ path, offers, hasMoreOffers, layout }: OwnPage): Html | null {
  if (offers.length === 0) return null;
  const options = offers.map((listing) => html`<option value="${listing.slug}">${optionText(listing)}</option>`);
  const more = html`<p class="muted small">
    More of them are in the <a href="${layout.href('/')}">marketplace</a>: <em>Promote this</em> leads here.
  </p>`;
  return html`<form method="post" action="${path}/promotions" class="seat">
      <div class="field">
        <label for="slug">Promote another</label
        ><select id="slug" name="slug">
          ${options}
        </select>
      </div>
      <button class="button">Promote</button>
    </form>
    ${hasMoreOffers ? more : null}`;
}

function optionText(listing: Listing): string {
  const terms = offeredTerms(listing);
  const asks = listing.affiliates === 'ask' ? ' (asks first)' : '';
  return `${listing.name}${terms === null ? '' : `, ${shortTermsText(terms)}`}${asks}`;
}
