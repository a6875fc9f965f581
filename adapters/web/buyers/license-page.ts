import type { BuyersLicense } from '../../../core/buyer/buyers-license.ts';
import type { BillingInterval, Entitlement } from '../../../core/entitlement/entitlement.ts';
import { isIssuedKey } from '../../../core/license/license-key.ts';
import { tile } from '../marketplace/tile.ts';
import type { TextName } from '../markup/buyer-texts.ts';
import { html, type Html } from '../markup/html.ts';
import { lostPath, type Page } from '../markup/layout.ts';
import type { Words } from '../markup/words.ts';
import { deviceSection } from './device-section.ts';
import { licenseState, type LicenseState } from './license-state.ts';
import { aside, buyersPage, helpLink, hostOf, note, outLink, section } from './parts.ts';
import { receiptSection } from './receipt-section.ts';
import { nameOf, type ShownLicense } from './shown-license.ts';

/** The page of a license for somebody who has its key. */
export function licensePage(shown: ShownLicense, licenseKey: string): Page {
  const { words, license, now, href } = shown;
  const { product } = license;
  const state = licenseState(license, now, words);
  return buyersPage(
    shown,
    nameOf(license),
    html`${shown.done.note} ${owned(license, state, words)}
    ${state.use === 'late' ? paymentNote(words, product?.accountUrl ?? null) : null} ${sections(shown, state)}
    ${state.use === 'works' || state.use === 'late' ? manage(shown) : null}
    ${helpFor(shown, state, isIssuedKey(licenseKey))}
    ${aside(html`<a href="${href('/license')}">${words.of('lookUpAnother')}</a>`)}
    ${aside(words.of('datesAreUtc'), ' muted small')}`,
    true,
  );
}

/** The devices, and the way to a receipt, where the license has them. */
export function sections(shown: ShownLicense, { use, hasEnded }: LicenseState): Html {
  const isUsable = use === 'works' || use === 'late';
  return html`${hasEnded ? null : deviceSection(shown)} ${isUsable ? receiptSection(shown) : null}`;
}

/** What was bought, its state, and what the state means. */
export function owned(license: BuyersLicense, state: LicenseState, words: Words): Html {
  const { entitlement } = license;
  const name = nameOf(license);
  const lastFour = shownLastFour(entitlement);
  const plan = {
    tier: html`<bdi>${entitlement.tierName}</bdi>`,
    interval: intervalText(entitlement, words),
    lastFour: html`<span class="mono">${lastFour ?? ''}</span>`,
  };
  return html`<header class="owned">
    ${tile({ slug: entitlement.productId, name }, 'medium', null)}
    <div>
      <h1 dir="auto">${name}</h1>
      <p class="muted">${words.of(lastFour === null ? 'plan' : 'planAndKey', plan)}</p>
    </div>
    ${state.badge}
    <p class="says">${state.says}</p>
  </header>`;
}

/** The last four characters of the key. Null without a key, for a revoked one, and for one that is too short to show. */
function shownLastFour({ license }: Entitlement): string | null {
  return license?.revokedAt === null ? license.lastFour : null;
}

const intervalTexts: Readonly<Record<BillingInterval, readonly [one: TextName, several: TextName]>> = {
  day: ['daily', 'everyDays'],
  week: ['weekly', 'everyWeeks'],
  month: ['monthly', 'everyMonths'],
  year: ['yearly', 'everyYears'],
};

/** How often a license renews: "monthly", "every 3 months", or "bought once". */
export function intervalText(entitlement: Entitlement, words: Words): string {
  if (entitlement.kind === 'one_time') return words.plain('once');
  const { billingInterval, billingIntervalCount: count } = entitlement;
  const [one, several] = intervalTexts[billingInterval];
  return count === 1 ? words.plain(one) : words.plain(several, { count: words.number(count) });
}

export function paymentNote(words: Words, accountUrl: string | null): Html {
  const link = accountUrl === null ? null : html` ${updateLink(words, accountUrl)}`;
  const says = html`${words.of('updatePaymentSays')}${link}`;
  return note({ tone: 'warn', title: words.of('updatePayment'), says });
}

function updateLink(words: Words, accountUrl: string): Html {
  return outLink(accountUrl, words.of('updateAt', { host: hostOf(accountUrl) }));
}

/** Why a key alone changes nothing, and where it can be changed. */
function manage(shown: ShownLicense): Html {
  const { words } = shown;
  return section('manage', words.of('manage'), html`<p>${whereToManage(shown)}</p>`);
}

function whereToManage(shown: ShownLicense): Html {
  const { words, license, href, mailsLostKeys } = shown;
  const url = license.product?.accountUrl ?? null;
  const account = url === null ? null : outLink(url, hostOf(url));
  if (mailsLostKeys) {
    const mail = html`<a href="${href(lostPath)}">${words.of('getLinkByMail')}</a>`;
    return account === null ? words.of('manageMail', { mail }) : words.of('manageAccountOrMail', { account, mail });
  }
  if (account !== null) return words.of('manageAccount', { account });
  const ask = askLink(shown);
  return ask === null ? words.of('manageSeller') : words.of('manageAsk', { ask });
}

function askLink({ words, license, help }: ShownLicense, text: 'ask' | 'thenAsk' = 'ask'): Html | null {
  const url = license.product?.supportUrl ?? help;
  const product = html`<bdi>${nameOf(license)}</bdi>`;
  return url === null ? null : helpLink(words.of(text, { product }), url);
}

/** What helps if it does not work, by the state. */
export function helpFor(shown: ShownLicense, state: LicenseState, isIssued: boolean): Html | null {
  const { words } = shown;
  const items = [...helpItems(shown, state, isIssued)];
  const button = accountButton(shown, state);
  if (items.length === 0 && button === null) return null;
  const isUsable = state.use === 'works' || state.use === 'late';
  const list = items.map((item) => html`<li>${item}</li> `);
  return section(
    'help',
    words.of(isUsable ? 'ifNot' : 'whatYouCanDo'),
    html`${button}${
      items.length === 0
        ? null
        : html`<ul class="plain">
            ${list}
          </ul>`
    }`,
  );
}

/** The one way on that leads to the account of the buyer. Nothing where the product names no account. */
function accountButton({ words, license }: ShownLicense, { button }: LicenseState): Html | null {
  const account = license.product?.accountUrl ?? null;
  if (button === null || account === null) return null;
  return html`<div class="buttons">
    <a class="button primary" href="${account}" rel="noopener">${words.of(button)}</a>
  </div>`;
}

function* helpItems(shown: ShownLicense, { use, button }: LicenseState, isIssued: boolean): Iterable<Html> {
  const { words, license } = shown;
  const account = license.product?.accountUrl ?? null;
  const ask = askLink(shown);
  if (use === 'works') {
    if (isIssued) yield words.of('copyWhole', { start: html`<span class="mono">LK</span>` });
    yield words.of('connectOnce');
  }
  if (use === 'unpaid' && account !== null) yield updateAgain(words, account);
  if (use === 'late' || use === 'unpaid') yield words.of('paidAlready');
  if (button === 'buyItAgain' && account !== null) yield buyAnew(words, account);
  if (ask === null) return;
  if (use === 'refunded') yield notAskedForRefund(license, words, ask);
  else if (use === 'disputed') yield words.of('unknownDispute', { ask: askLink(shown, 'thenAsk') ?? ask });
  else yield words.of('stillStuck', { ask });
}

function notAskedForRefund({ entitlement }: BuyersLicense, words: Words, ask: Html): Html {
  const lastFour = shownLastFour(entitlement);
  if (lastFour === null) return words.of('notAskedForRefund', { ask });
  return words.of('notAskedForRefundKey', { ask, lastFour: html`<span class="mono">${lastFour}</span>` });
}

function updateAgain(words: Words, account: string): Html {
  return html`${words.of('updatePaymentNow')} ${updateLink(words, account)}`;
}

function buyAnew(words: Words, account: string): Html {
  return words.of('buyAnew', { buy: outLink(account, words.of('buyAnewLink')) });
}
