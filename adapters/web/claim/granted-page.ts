import type { Entitlement, SuspensionCause } from '../../../core/entitlement/entitlement.ts';
import type { ChangeReason } from '../../../core/entitlement/history-entry.ts';
import { statusAt } from '../../../core/entitlement/status.ts';
import type { Product } from '../../../core/product/products.port.ts';
import type { ClaimState, KeptKey } from '../../../core/purchase/claim-state.ts';
import { helpLink } from '../buyers/parts.ts';
import { badge } from '../console/display/badge.ts';
import { dayOf, instant } from '../console/display/dates.ts';
import { termText } from '../console/entitlement/state/terms.ts';
import { tile } from '../marketplace/tile.ts';
import { html, type Html } from '../markup/html.ts';
import type { Page } from '../markup/layout.ts';
import { buyerPage, helpAside } from './buyer-parts.ts';

/** What was granted, and what its buyer can know about it. */
export type GrantedToShow = ClaimState & {
  readonly licenseKey: string | null;
  readonly lastFour: string | null;
  readonly entitlement: Entitlement;
  readonly product: Product | null;
};

const onlyTheEnd = ', and name the last four characters of your key, never the whole';

const keptTexts: Readonly<Record<KeptKey, string>> = {
  'shown before': 'Its key was shown here for a day.',
  'never shown': 'Its key is not shown here.',
  replaced: 'Its key was replaced by another one.',
  none: 'It has no key.',
};

const causeTexts: Readonly<Record<SuspensionCause, string>> = {
  payment: 'A payment is missing, or was taken back.',
  operator: 'The seller has put it on hold.',
};

const reasonTexts: Readonly<Record<ChangeReason, string>> = {
  refunded: 'Its payment was refunded.',
  disputed: 'Its payment is disputed.',
  dispute_lost: 'Its payment was taken back in a dispute.',
  unpaid: 'A payment is missing.',
  paused: 'Its subscription is paused.',
};

function causeText(cause: SuspensionCause, reason: ChangeReason | null): string {
  return cause === 'payment' && reason !== null ? reasonTexts[reason] : causeTexts[cause];
}

/** Describes the page of a purchase that was granted. `siteHelp` stands in for the help of the product. */
export function grantedPage(claim: GrantedToShow, siteHelp: string | null, now: Date): Page {
  const help = claim.product?.supportUrl ?? siteHelp;
  const page = (title: string, says: Html, content: Html | null): Page =>
    buyerPage(title, html`${owned(claim, says, now)} ${content}`);
  switch (claim.state) {
    case 'ready':
      return page(
        'Your license key',
        html`Thank you. This is your license key.`,
        html`${keyBox(claim.licenseKey ?? '', claim.until)} ${nextSteps(claim)}
        ${helpAside('Something is wrong?', help, onlyTheEnd)}`,
      );
    case 'kept':
      return page('Your purchase', html`Your license works. ${keptTexts[claim.key]}`, keptKey(claim, help));
    case 'suspended':
      return page(
        'Your license is suspended',
        html`This license is suspended. ${claim.causes.map((cause) => causeText(cause, claim.reason)).join(' ')}`,
        helpAside('Is this not right?', help, onlyTheEnd),
      );
    case 'refunded':
      return page(
        'This purchase was refunded',
        html`This purchase was refunded on ${dayOf(claim.at)}. Its key opens nothing any more.`,
        html`<p class="aside">
          The money takes a few days to reach
          you.${help === null ? null : html` Is this not what you wanted? ${helpLink('Ask for help', help)}.`}
        </p>`,
      );
    case 'ended':
      return page(
        'Your license ended',
        html`It ended on ${dayOf(claim.at)}. Its key opens nothing any more.`,
        helpAside('Is this not what you wanted?', help, ''),
      );
  }
}

function nameOf({ product, entitlement }: GrantedToShow): string {
  return product?.name ?? entitlement.productId;
}

/** What was bought, the state of it, and one line about it. */
function owned(claim: GrantedToShow, says: Html, now: Date): Html {
  const { entitlement } = claim;
  const name = nameOf(claim);
  const often =
    entitlement.kind === 'one_time'
      ? termText('one_time')
      : termText(entitlement.billingInterval, entitlement.billingIntervalCount);
  return html`<header class="owned">
    ${tile({ slug: entitlement.productId, name }, 'medium', null)}
    <div>
      <h1 dir="auto">${name}</h1>
      <p class="muted"><bdi>${entitlement.tierName}</bdi>, ${often}</p>
    </div>
    ${stateBadge(claim, now)}
    <p class="says">${says}</p>
  </header>`;
}

function stateBadge({ state, entitlement }: GrantedToShow, now: Date): Html {
  if (state === 'refunded' || state === 'ended') return badge('over', 'Ended');
  if (state === 'suspended') return badge('paused', 'Suspended');
  const status = statusAt(entitlement, now);
  if (status === 'trialing') return badge('info', 'Trial');
  return status === 'past_due' ? badge('warn', 'Past due') : badge('ok', 'Active');
}

function keyBox(key: string, until: Date): Html {
  return html`<div class="key-box">
    <label class="hidden" for="key">License key</label><output class="secret" id="key">${key}</output>
    <p class="hint">
      Click the key to select all of it, then copy it and keep it. This page shows it until ${instant(until)}.
    </p>
  </div>`;
}

function nextSteps(claim: GrantedToShow): Html {
  const name = nameOf(claim);
  const download = claim.product?.downloadUrl ?? null;
  return html`<section class="section" aria-labelledby="next">
    <h2 id="next">What to do now</h2>
    <ol class="steps">
      <li>${download === null ? html`Start ${bdi(name)}.` : html`Download ${bdi(name)}, and start it.`}</li>
      <li>Paste the key where it asks for one.</li>
    </ol>
    ${downloadButton(claim, 'button primary')}
  </section>`;
}

function downloadButton(claim: GrantedToShow, classes: string): Html | null {
  const download = claim.product?.downloadUrl ?? null;
  if (download === null) return null;
  return html`<div class="buttons">
    <a class="${classes}" href="${download}" rel="noopener">Download ${nameOf(claim)}</a>
  </div>`;
}

/** Where to look for a key that is not shown. */
function keptKey(claim: GrantedToShow, help: string | null): Html {
  const { lastFour, product } = claim;
  const ending = lastFour === null ? null : html`It ends with <span class="mono">${lastFour}</span>. `;
  const hasKey = claim.entitlement.license !== null;
  const isLost = help !== null || (product?.downloadUrl ?? null) !== null;
  return html`${
    hasKey
      ? html`<section class="section" aria-labelledby="key">
          <h2 id="key">Your key</h2>
          <p>${ending}Look for it where you kept it, or in the program itself.</p>
        </section>`
      : null
  }${
    isLost
      ? html`<section class="section" aria-labelledby="lost">
          <h2 id="lost">Lost it?</h2>
          ${help === null ? null : html`<p>${helpLink('Ask for a new one', help)}, and name the last four characters, never the whole key.</p>`}
          ${downloadButton(claim, 'button')}
        </section>`
      : null
  }`;
}

function bdi(name: string): Html {
  return html`<bdi>${name}</bdi>`;
}
