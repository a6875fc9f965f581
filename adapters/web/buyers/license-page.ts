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
  const { entitlement, product } = license;
  const state = licenseState(entitlement, now, words);
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
export function sections(shown: ShownLicense, { use }: LicenseState): Html {
  const isUsable = use === 'works' || use === 'late';
  return html`${use === 'over' ? null : deviceSection(shown)} ${isUsable ? receiptSection(shown) : null}`;
}

/** What was bought, its state, and what the state means. */
export function owned(license: BuyersLicense, state: LicenseState, words: Words): Html {
  const { entitlement } = license;
  const name = nameOf(license);
  const lastFour = entitlement.license?.revokedAt === null ? entitlement.license.lastFour : null;
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

function askLink({ words, license, help }: ShownLicense): Html | null {
  const url = license.product?.supportUrl ?? help;
  const product = html`<bdi>${nameOf(license)}</bdi>`;
  return url === null ? null : helpLink(words.of('ask', { product }), url);
}

/** What helps if it does not work, by the state. */
export function helpFor(shown: ShownLicense, { use }: LicenseState, isIssued: boolean): Html | null {
  const { words, license } = shown;
  const account = license.product?.accountUrl ?? null;
  const ask = askLink(shown);
  const stuck = ask === null ? [] : [words.of('stillStuck', { ask })];
  const copy = words.of('copyWhole', { start: html`<span class="mono">LK</span>` });
  const paid = words.of('paidAlready');
  const items: Readonly<Record<typeof use, readonly Html[]>> = {
    works: [...(isIssued ? [copy] : []), words.of('connectOnce'), ...stuck],
    late: [paid, ...stuck],
    unpaid: [...(account === null ? [] : [updateAgain(words, account)]), paid, ...stuck],
    held: stuck,
    over: [...(account === null ? [] : [buyAnew(words, account)]), paid, ...stuck],
  };
  if (items[use].length === 0) return null;
  const heading = words.of(use === 'works' || use === 'late' ? 'ifNot' : 'whatYouCanDo');
  const list = items[use].map((item) => html`<li>${item}</li> `);
  return section(
    'help',
    heading,
    html`<ul class="plain">
      ${list}
    </ul>`,
  );
}

function updateAgain(words: Words, account: string): Html {
  return html`${words.of('updatePaymentNow')} ${updateLink(words, account)}`;
}

function buyAnew(words: Words, account: string): Html {
  return words.of('buyAnew', { buy: outLink(account, words.of('buyAnewLink')) });
}
