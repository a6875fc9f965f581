import type { Entitlement } from '../../../core/entitlement/entitlement.ts';
import type { ChangeReason } from '../../../core/entitlement/history-entry.ts';
import { statusAt } from '../../../core/entitlement/status.ts';
import type { Product } from '../../../core/product/products.port.ts';
import type { ClaimState, KeptKey } from '../../../core/purchase/claim-state.ts';
import { intervalText } from '../buyers/license-page.ts';
import { buyersPage, openInApp, type BuyersSite } from '../buyers/parts.ts';
import { nameOf, productTile } from '../buyers/shown-license.ts';
import { badge } from '../markup/badge.ts';
import type { TextName } from '../markup/buyer-texts.ts';
import { html, type Html } from '../markup/html.ts';
import type { Page } from '../markup/layout.ts';
import type { Words } from '../markup/words.ts';
import { asking, askingAside } from './buyer-parts.ts';

/** A granted purchase, as its buyer may know it. */
export type GrantedToShow = ClaimState & {
  readonly licenseKey: string | null;
  readonly lastFour: string | null;
  readonly entitlement: Entitlement;
  readonly product: Product | null;
};

const keptTexts: Readonly<Record<KeptKey, TextName>> = {
  'shown before': 'keptShown',
  'never shown': 'keptHidden',
  replaced: 'keptReplaced',
  none: 'keptNone',
};

const reasonTexts: Readonly<Record<ChangeReason, TextName>> = {
  refunded: 'causeRefunded',
  disputed: 'causeDisputed',
  dispute_lost: 'causeDisputeLost',
  unpaid: 'causeUnpaid',
  paused: 'causePaused',
};

/** Everything that suspends a license, as far as it is known. */
function causeTexts({ causes, reason }: Extract<ClaimState, { readonly state: 'suspended' }>): readonly TextName[] {
  return [
    ...(causes.includes('operator') ? (['causeSeller'] as const) : []),
    ...(reason === null ? [] : [reasonTexts[reason]]),
  ];
}

/** Describes the page of a purchase that was granted. The help of the site stands in for that of the product. */
export function grantedPage(claim: GrantedToShow, site: BuyersSite, now: Date): Page {
  const { words } = site;
  const helped = { ...site, help: claim.product?.supportUrl ?? site.help };
  const page = (title: TextName, says: Html, content: Html | null): Page =>
    buyersPage(site, words.plain(title), html`${owned(claim, says, site, now)} ${content}`);
  const ended = (text: TextName, at: Date): Page =>
    page('endedTitle', words.of(text, { date: words.day(at) }), askingAside(helped, 'notWantedAsk'));
  switch (claim.state) {
    case 'ready':
      return page(
        'readyTitle',
        words.of('readySays'),
        html`${keyBox(words, claim.licenseKey ?? '', claim.until)}
        ${openInApp(words, claim.product, claim.licenseKey ?? '')} ${nextSteps(claim, words)}
        ${askingAside(helped, 'readyAsk')}`,
      );
    case 'kept':
      return page('purchaseTitle', words.of(keptTexts[claim.key]), keptKey(claim, helped));
    case 'suspended': {
      const says = html`${words.of('suspendedSays')}${causeTexts(claim).map((text) => html` ${words.of(text)}`)}`;
      return page('suspendedTitle', says, askingAside(helped, 'suspendedAsk'));
    }
    case 'refunded':
      if (claim.reason === 'refunded') {
        const says = words.of('refundedSays', { date: words.day(claim.at) });
        const aside = html`<p class="aside">${words.of('refundedMoney')} ${asking(helped, 'notWantedAsk')}</p>`;
        return page('refundedTitle', says, aside);
      }
      return ended(claim.reason === 'dispute_lost' ? 'takenBackSays' : 'endedSays', claim.at);
    case 'ended':
      return ended('endedSays', claim.at);
  }
}

/** The purchase, its state, and one line about it. */
function owned(claim: GrantedToShow, says: Html, site: BuyersSite, now: Date): Html {
  const { words } = site;
  const { entitlement } = claim;
  const plan = { tier: html`<bdi>${entitlement.tierName}</bdi>`, interval: intervalText(entitlement, words) };
  return html`<header class="owned">
    ${productTile(site, claim)}
    <div>
      <h1 dir="auto">${nameOf(claim)}</h1>
      <p class="muted">${words.of('plan', plan)}</p>
    </div>
    ${stateBadge(claim, words, now)}
    <p class="says">${says}</p>
  </header>`;
}

function stateBadge({ state, entitlement }: GrantedToShow, words: Words, now: Date): Html {
  if (state === 'refunded' || state === 'ended') return badge('over', words.plain('ended'));
  if (state === 'suspended') return badge('paused', words.plain('suspended'));
  const status = statusAt(entitlement, now);
  if (status === 'trialing') return badge('info', words.plain('trial'));
  return status === 'past_due' ? badge('warn', words.plain('pastDue')) : badge('ok', words.plain('active'));
}

function keyBox(words: Words, key: string, until: Date): Html {
  return html`<div class="key-box">
    <label class="hidden" for="key">${words.of('licenseKey')}</label><output class="secret" id="key">${key}</output>
    <p class="hint">${words.of('keyShownUntil', { time: words.instant(until) })}</p>
  </div>`;
}

function nextSteps(claim: GrantedToShow, words: Words): Html {
  const product = html`<bdi>${nameOf(claim)}</bdi>`;
  const download = claim.product?.downloadUrl ?? null;
  return html`<section class="section" aria-labelledby="next">
    <h2 id="next">${words.of('next')}</h2>
    <ol class="steps">
      <li>${words.of(download === null ? 'startIt' : 'downloadIt', { product })}</li>
      <li>${words.of('pasteKey')}</li>
    </ol>
    ${downloadButton(claim, words, 'button primary')}
  </section>`;
}

function downloadButton(claim: GrantedToShow, words: Words, classes: string): Html | null {
  const download = claim.product?.downloadUrl ?? null;
  if (download === null) return null;
  return html`<div class="buttons">
    <a class="${classes}" href="${download}" rel="noopener">${words.of('download', { product: nameOf(claim) })}</a>
  </div>`;
}

/** Where to look for a key that is not shown. */
function keptKey(claim: GrantedToShow, site: BuyersSite): Html {
  const { words } = site;
  const { lastFour } = claim;
  const hasKey = claim.entitlement.license !== null;
  const ask = asking(site, 'lostItAsk', 'askForNew');
  const download = downloadButton(claim, words, 'button');
  const ending = { lastFour: html`<span class="mono">${lastFour ?? ''}</span>` };
  return html`${
    hasKey
      ? html`<section class="section" aria-labelledby="key">
          <h2 id="key">${words.of('yourKey')}</h2>
          <p>${words.of(lastFour === null ? 'lookForKey' : 'lookForKeyEnding', ending)}</p>
        </section>`
      : null
  }${
    ask === null
      ? download
      : html`<section class="section" aria-labelledby="lost">
          <h2 id="lost">${words.of('lostIt')}</h2>
          <p>${ask}</p>
          ${download}
        </section>`
  }`;
}
