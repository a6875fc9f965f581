import { isLicensed } from '../../../core/entitlement/license/find-licensed.ts';
import { html, type Html } from '../markup/html.ts';
import { folded } from './parts.ts';
import type { Done, ShownLicense } from './shown-license.ts';

/** The way to a receipt for a machine without a network, folded. Nothing where the page hands out none, or there is no license. */
export function receiptSection(shown: ShownLicense): Html | null {
  const { words, license, receiptTime, forms, done } = shown;
  if (receiptTime === null || !isLicensed(license.entitlement)) return null;
  const { deviceLimit } = license.entitlement;
  const button = html`<button class="button">${words.of('getReceipt')}</button>`;
  const form =
    deviceLimit === null
      ? html`<form method="post" action="${forms.action('receipt')}">${forms.carried}${button}</form>`
      : html`<form class="seat" method="post" action="${forms.action('receipt')}" novalidate>
          ${forms.carried} ${deviceField(shown, words.number(deviceLimit), done.deviceId)} ${button}
        </form>`;
  const time = words.duration(receiptTime);
  return folded({
    isOpen: done.deviceId !== undefined,
    heading: words.of('useOffline'),
    says: words.of('useOfflineSays', { time }),
    content: html`<div class="offer-line">
      <p>${words.of('receiptSays', { time })}</p>
      ${form}
    </div>`,
  });
}

function deviceField({ words }: ShownLicense, limit: string, mistake: Done['deviceId']): Html {
  const error = mistake === undefined ? null : html`<p class="error" id="device-id-error">${mistake.error}</p>`;
  const described = `device-id-hint${mistake === undefined ? '' : ' device-id-error'}`;
  return html`<div class="field">
    <label for="device-id">${words.of('deviceId')}</label>${error}<input
      id="device-id"
      name="deviceId"
      value="${mistake?.typed ?? ''}"
      autocomplete="off"
      spellcheck="false"
      aria-describedby="${described}"
      ${mistake === undefined ? null : html` aria-invalid="true" autofocus`}
      required
    />
    <p class="hint" id="device-id-hint">${words.of('deviceIdHint', { limit })}</p>
  </div>`;
}
