import { buyersPage, type BuyersSite } from '../buyers/parts.ts';
import { html } from '../markup/html.ts';
import type { Page } from '../markup/layout.ts';
import { askingAside, lookAgain } from './buyer-parts.ts';
import { grantedPage, type GrantedToShow } from './granted-page.ts';

export const claimPath = '/claim';

/** The state of a purchase that its buyer is shown. */
export type ClaimToShow = { readonly state: 'unpaid' | 'unmapped' | 'failed' } | GrantedToShow;

/** Describes the page after a purchase. It holds no address of its own, which is a secret. */
export function claimPage(site: BuyersSite, claim: ClaimToShow, now: Date): Page {
  if ('entitlement' in claim) return grantedPage(claim, site, now);
  switch (claim.state) {
    case 'unpaid':
      return unpaidPage(site);
    case 'unmapped':
      return unmappedPage(site);
    case 'failed':
      return failedPage(site);
  }
}

function unpaidPage(site: BuyersSite): Page {
  const { words } = site;
  return buyersPage(
    site,
    words.plain('unpaidTitle'),
    html`<header>
        <h1>${words.of('unpaidTitle')}</h1>
        <p>${words.of('unpaidSays')}</p>
      </header>
      ${lookAgain(words)} ${askingAside(site, 'unpaidAsk')}`,
  );
}

function unmappedPage(site: BuyersSite): Page {
  const { words } = site;
  return buyersPage(
    site,
    words.plain('unmappedTitle'),
    html`<header>
        <h1>${words.of('unmappedHeading')}</h1>
        <p>${words.of('unmappedSays')}</p>
      </header>
      ${lookAgain(words)} ${askingAside(site, 'unmappedAsk')}`,
  );
}

/** Nothing is to be waited for: the way back is to buy again. */
function failedPage(site: BuyersSite): Page {
  const { words } = site;
  return buyersPage(
    site,
    words.plain('notArrivedTitle'),
    html`<header>
        <h1>${words.of('notArrivedTitle')}</h1>
        <p>${words.of('notArrivedSays')}</p>
      </header>
      ${askingAside(site, 'notArrivedAsk')}`,
  );
}
