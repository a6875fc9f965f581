import { html, type Html } from '../markup/html.ts';
import type { Layout, Page } from '../markup/layout.ts';

/** What the buyer of a purchase is shown. */
export type ClaimToShow =
  | { readonly kind: 'pending' }
  | { readonly kind: 'granted'; readonly licenseKey: string | null; readonly lastFour: string | null };

/** Describes the page after a purchase. It holds no address of its own, which is a secret. */
export function claimPage(layout: Layout, claim: ClaimToShow): Page {
  if (claim.kind === 'pending') {
    return page(
      'Your payment is on its way',
      html`<p>Your license key is shown here once the payment has arrived.</p>
        <div class="buttons"><a class="button primary" href="">Look again</a></div>`,
    );
  }
  const { licenseKey, lastFour } = claim;
  const shop = html`<div class="buttons"><a class="button" href="${layout.href('/')}">Go to the marketplace</a></div>`;
  if (licenseKey !== null) {
    return page(
      'Your license key',
      html`<p>Copy the key and keep it. This page shows it for 24 hours after the purchase.</p>
        <p class="license-key mono">${licenseKey}</p>
        ${shop}`,
    );
  }
  const ending = lastFour === null ? null : html` It ends with <span class="mono">${lastFour}</span>.`;
  return page(
    'Your purchase',
    html`<p>Your license key is no longer shown here.${ending}</p>
      ${shop}`,
  );
}

function page(title: string, content: Html): Page {
  return {
    title,
    description: 'What was bought, for its buyer.',
    canonical: null,
    main: html`<div class="wrap">
      <div class="stop">
        <h1>${title}</h1>
        ${content}
      </div>
    </div>`,
  };
}
