import type { IssuedReceipt } from '../../../core/receipt/issue-receipt.ts';
import { html, type Html } from '../markup/html.ts';
import type { Page } from '../markup/layout.ts';
import { aside, buyersPage, secretBox } from './parts.ts';
import { nameOf, type ShownLicense } from './shown-license.ts';

/** Shows a receipt, and the way to carry it. `deviceId` is what was typed; null for a receipt of any device. */
export function receiptPage(
  shown: ShownLicense,
  { receipt, expiresAt }: IssuedReceipt,
  deviceId: string | null,
  back: Html,
): Page {
  const { words, license, forms } = shown;
  const lastFour = license.entitlement.license?.lastFour ?? null;
  const facts = {
    product: html`<bdi>${nameOf(license)}</bdi>`,
    date: words.day(expiresAt),
    lastFour: html`<span class="mono">${lastFour ?? ''}</span>`,
  };
  const device = deviceId === null ? null : html`<input type="hidden" name="deviceId" value="${deviceId}" />`;
  return buyersPage(
    shown,
    words.plain('receiptTitle'),
    html`<header>
        <h1>${words.of('receiptTitle')}</h1>
        <p>${words.of(lastFour === null ? 'receiptFor' : 'receiptForKey', facts)}</p>
      </header>
      <ol class="steps">
        <li>${words.of('receiptCarry')}</li>
        <li>${words.of('receiptOpen')}</li>
      </ol>
      <form method="post" action="${forms.action('receipt')}" class="buttons">
        ${forms.carried}${device}<input type="hidden" name="as" value="file" /><button class="button primary">
          ${words.of('downloadReceipt')}
        </button>
      </form>
      ${secretBox(words, words.of('receipt'), receipt, ' long')} ${aside(words.of('receiptAnother'))} ${back}`,
    true,
  );
}
