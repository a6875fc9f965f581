import type { BuyersLicense } from '../../../core/buyer/buyers-license.ts';
import type { TextName } from '../markup/buyer-texts.ts';
import { html, type Html } from '../markup/html.ts';
import type { Words } from '../markup/words.ts';
import { isUsable, type LicenseState } from './license-state.ts';
import { folded, helpLink, hostOf, outLink, section } from './parts.ts';
import { nameOf, shownLastFour, type ShownLicense } from './shown-license.ts';

/** The help for a license that does not work, by its state: folded where it should work. Empty where nothing helps. */
export function helpSection(shown: ShownLicense, state: LicenseState, isIssued: boolean): Html | null {
  const { words } = shown;
  const items = [...(isUsable(state) ? thingsToTry(shown, isIssued) : waysOn(shown, state))];
  const list =
    items.length === 0
      ? null
      : html`<ul class="plain">
          ${items.map((item) => html`<li>${item}</li> `)}
        </ul>`;
  if (!isUsable(state)) {
    const button = accountButton(shown, state);
    return button === null && list === null ? null : section('help', words.of('whatYouCanDo'), html`${button}${list}`);
  }
  const says = counts[items.length];
  return (
    list &&
    folded({
      isOpen: false,
      heading: words.of('doesNotWork'),
      says: says === undefined ? null : words.of(says),
      content: list,
    })
  );
}

const counts: Readonly<Record<number, TextName>> = { 2: 'twoToTry', 3: 'threeToTry' };

function* thingsToTry(shown: ShownLicense, isIssued: boolean): Iterable<Html> {
  const { words } = shown;
  const ask = askLink(shown);
  if (isIssued) yield words.of('copyWhole', { start: html`<span class="mono">LK</span>` });
  yield words.of('connectOnce');
  if (ask !== null) yield words.of('stillStuck', { ask });
}

/** The one way on that leads to the account of the buyer. Nothing where the product names no account. */
function accountButton({ words, license }: ShownLicense, { button }: LicenseState): Html | null {
  const account = license.product?.accountUrl ?? null;
  if (button === null || account === null) return null;
  return html`<p><a class="button primary" href="${account}" rel="noopener">${words.of(button)}</a></p>`;
}

function* waysOn(shown: ShownLicense, { use, button }: LicenseState): Iterable<Html> {
  const { words, license } = shown;
  const account = license.product?.accountUrl ?? null;
  const ask = askLink(shown);
  if (use === 'unpaid' && account !== null) yield updateAgain(words, account);
  if (use === 'unpaid') yield words.of('paidAlready');
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

export function updateLink(words: Words, accountUrl: string): Html {
  return outLink(accountUrl, words.of('updateAt', { host: hostOf(accountUrl) }));
}

function buyAnew(words: Words, account: string): Html {
  return words.of('buyAnew', { buy: outLink(account, words.of('buyAnewLink')) });
}

/** A link to the help of the product, else to that of the site. Null where neither is. */
export function askLink({ words, license, help }: ShownLicense, text: 'ask' | 'thenAsk' = 'ask'): Html | null {
  const url = license.product?.supportUrl ?? help;
  const product = html`<bdi>${nameOf(license)}</bdi>`;
  return url === null ? null : helpLink(words.of(text, { product }), url);
}
