import { html } from '../markup/html.ts';
import type { Layout, Page } from '../markup/layout.ts';
import { buyerPage, helpAside, lookAgain } from './buyer-parts.ts';
import { grantedPage, type GrantedToShow } from './granted-page.ts';

export const claimPath = '/claim';

/** What the buyer of a purchase is shown. */
export type ClaimToShow = { readonly state: 'unpaid' | 'unmapped' } | GrantedToShow;

/** Describes the page after a purchase. It holds no address of its own, which is a secret. */
export function claimPage({ site: { help } }: Layout, claim: ClaimToShow, now: Date): Page {
  if ('entitlement' in claim) return grantedPage(claim, help, now);
  return claim.state === 'unpaid' ? unpaidPage(help) : unmappedPage(help);
}

function unpaidPage(help: string | null): Page {
  return buyerPage(
    'Your payment is on its way',
    html`<header>
        <h1>Your payment is on its way</h1>
        <p>
          Some ways to pay take days, such as a bank transfer. Your license key is shown here once the money has
          arrived: keep the address of this page.
        </p>
      </header>
      ${lookAgain} ${helpAside('You have paid by card, and this stays?', help, '')}`,
  );
}

function unmappedPage(help: string | null): Page {
  return buyerPage(
    'Your key is being prepared',
    html`<header>
        <h1>Paid. Your key is being prepared</h1>
        <p>
          Your payment has arrived. One step on our side is missing, and we have been told. You need not pay again: keep
          the address of this page, and look again later.
        </p>
      </header>
      ${lookAgain} ${helpAside('In a hurry?', help, '')}`,
  );
}
