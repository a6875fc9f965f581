import { isIdAtStripe } from '../../../core/billing/sold-by-stripe.ts';
import type { BillingInterval, Entitlement } from '../../../core/entitlement/entitlement.ts';
import { isIssuedKey } from '../../../core/license/license-key.ts';
import type { TextName } from '../markup/buyer-texts.ts';
import { html, type Html } from '../markup/html.ts';
import { lostPath, type Page } from '../markup/layout.ts';
import type { Words } from '../markup/words.ts';
import { deviceSection, foldedDevices } from './device-section.ts';
import { askLink, helpSection, updateLink } from './help-section.ts';
import { isUsable, licenseState, type LicenseState } from './license-state.ts';
import { aside, buyersPage, hostOf, note, openInApp, outLink, section } from './parts.ts';
import { receiptSection } from './receipt-section.ts';
import { nameOf, productTile, shownLastFour, type ShownLicense } from './shown-license.ts';

/** The page of a license for somebody who has its key. */
export function licensePage(shown: ShownLicense, licenseKey: string): Page {
  const { words, license, now, href } = shown;
  const state = licenseState(license, now, words);
  const help = helpSection(shown, state, isIssuedKey(licenseKey));
  const open = openInApp(words, license.product, licenseKey);
  return buyersPage(
    shown,
    nameOf(license),
    html`${head(shown, state)}
    ${isUsable(state) ? html`${open} ${usableSections(shown)} ${changeByKey(shown)} ${help}` : html`${help} ${foldedDevices(shown)}`}
    ${aside(html`<a href="${href('/license')}">${words.of('lookUpAnother')}</a>`)}
    ${aside(words.of('datesAreUtc'), ' muted small')}`,
    true,
  );
}

/** The change that was made, the license, and advice about a payment that is late. */
export function head(shown: ShownLicense, state: LicenseState): Html {
  const { words, license, done } = shown;
  const late = state.use === 'late' ? paymentNote(words, license.product?.accountUrl ?? null) : null;
  return html`${done.note} ${owned(shown, state)} ${late}`;
}

/** The devices of a license that works, and the way to a receipt. */
export function usableSections(shown: ShownLicense): Html {
  return html`${deviceSection(shown)} ${receiptSection(shown)}`;
}

/** The purchase, its state, and the meaning of the state. */
function owned(shown: ShownLicense, state: LicenseState): Html {
  const { words, license } = shown;
  const { entitlement } = license;
  const lastFour = shownLastFour(entitlement);
  const plan = {
    tier: html`<bdi>${entitlement.tierName}</bdi>`,
    interval: intervalText(entitlement, words),
    lastFour: html`<span class="mono">${lastFour ?? ''}</span>`,
  };
  return html`<header class="owned">
    ${productTile(shown, license)}
    <div>
      <h1 dir="auto">${nameOf(license)}</h1>
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

/** The interval at which a license renews: "monthly", "every 3 months", or "bought once". */
export function intervalText(entitlement: Entitlement, words: Words): string {
  if (entitlement.kind === 'one_time') return words.plain('once');
  const { billingInterval, billingIntervalCount: count } = entitlement;
  const [one, several] = intervalTexts[billingInterval];
  return count === 1 ? words.plain(one) : words.plain(several, { count: words.number(count) });
}

function paymentNote(words: Words, accountUrl: string | null): Html {
  const link = accountUrl === null ? null : html` ${updateLink(words, accountUrl)}`;
  const says = html`${words.of('updatePaymentSays')}${link}<br />${words.of('paidAlready')}`;
  return note({ tone: 'warn', title: words.of('updatePayment'), says });
}

/** Where a license can be changed: a key can be copied, so it alone changes nothing. */
function changeByKey(shown: ShownLicense): Html {
  const { words, license } = shown;
  const { product, entitlement } = license;
  const account = product?.accountUrl ?? null;
  const [atAccount, byLink] = changes(entitlement, account !== null);
  const host = html`<bdi>${hostOf(account ?? '')}</bdi>`;
  return section(
    'manage',
    words.of('changeIt'),
    html`<ul class="things">
      ${account === null ? null : way(outLink(account, words.of(atAccount)), words.of('whereYouPay', { host }))}
      ${wayByLink(shown, words.of(byLink))}
    </ul>`,
  );
}

/** The changes at the account, and those by a link: all of them, where there is no account. */
function changes(entitlement: Entitlement, hasAccount: boolean): readonly [atAccount: TextName, byLink: TextName] {
  if (entitlement.kind === 'one_time') return ['invoices', 'replace'];
  const isCanceled = entitlement.cancellation !== null;
  const all = isCanceled ? 'resumeOrReplace' : 'cancelOrReplace';
  return [isCanceled ? 'resumeOrInvoices' : 'cancelOrInvoices', hasAccount ? 'replace' : all];
}

/** The link by mail, which is for sales of Stripe alone; else the seller has one. */
function wayByLink(shown: ShownLicense, change: Html): Html {
  const { words, license, href, mailsLostKeys } = shown;
  if (mailsLostKeys && isIdAtStripe(license.entitlement.id)) {
    return way(html`<a href="${href(lostPath)}">${change}</a>`, words.of('byMailedLink'));
  }
  const ask = askLink(shown);
  return way(change, ask === null ? words.of('manageSeller') : words.of('manageAsk', { ask }));
}

function way(change: Html, says: Html): Html {
  return html`<li>
    <div>
      <p>${change}</p>
      <p class="muted small">${says}</p>
    </div>
  </li> `;
}
