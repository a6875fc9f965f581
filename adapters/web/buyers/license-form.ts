import { licenseKeyMaxLength, licenseKeyMinLength } from '../../../core/license/license-key.ts';
import { html, type Html } from '../markup/html.ts';
import { lostPath, type Page } from '../markup/layout.ts';
import { aside, buyersPage, errorLine, helpLink, type BuyersSite } from './parts.ts';

/** Why a key is not shown. */
export type KeyMistake = 'malformed_license_key' | 'license_not_found';

/** A malformed or unknown key, as it was typed. */
export interface WrongKey {
  readonly code: KeyMistake;
  readonly typed: string;
  readonly correlationId: string;
}

/** The page that asks for a key. */
export function askForKeyPage(site: BuyersSite): Page {
  const { words } = site;
  return buyersPage(
    site,
    words.plain('yourLicense'),
    html`<header>
        <h1>${words.of('yourLicense')}</h1>
        <p>${words.of('emptySays')}</p>
      </header>
      ${keyForm(site, '', null)} ${lost(site)}`,
    true,
  );
}

/** The same page after a key that is malformed or unknown. */
export function wrongKeyPage(site: BuyersSite, { code, typed, correlationId }: WrongKey): Page {
  const { words } = site;
  const isUnknown = code === 'license_not_found';
  const bounds = { least: String(licenseKeyMinLength), most: String(licenseKeyMaxLength) };
  return buyersPage(
    site,
    words.plain(isUnknown ? 'unknownTitle' : 'malformedTitle'),
    html`<header>
        <h1>${words.of(isUnknown ? 'unknownHeading' : 'malformedTitle')}</h1>
        <p>${isUnknown ? words.of('unknownSays') : words.of('malformedSays', bounds)}</p>
      </header>
      ${keyForm(site, typed, words.of(isUnknown ? 'unknownError' : 'malformedError'))} ${lost(site)}
      ${errorLine(words, code, correlationId)}`,
    true,
  );
}

function keyForm({ words, href }: BuyersSite, value: string, error: Html | null): Html {
  const described = `license-key-${error === null ? 'hint' : 'error'}`;
  const wrong = error === null ? null : html`<p class="error" id="${described}">${error}</p>`;
  const hint = html`<p class="hint" id="${described}">
    ${words.of('keyHint', { example: html`<span class="mono">LK-XXXXX-XXXXX-…</span>` })}
  </p>`;
  return html`<div class="sheet">
    <form method="post" action="${href('/license')}" novalidate>
      <div class="field">
        <label for="license-key">${words.of('licenseKey')}</label>${wrong}<input
          id="license-key"
          name="licenseKey"
          class="mono"
          value="${value}"
          autocomplete="off"
          autocapitalize="characters"
          spellcheck="false"
          required
          ${error === null ? null : html` aria-invalid="true"`}
          aria-describedby="${described}"
          ${error === null ? null : html` autofocus`}
        />${error === null ? hint : null}
      </div>
      <button class="button primary">${words.of('showLicense')}</button>
    </form>
  </div>`;
}

function lost({ words, help, href, mailsLostKeys }: BuyersSite): Html | null {
  if (mailsLostKeys) {
    return aside(words.of('lostAside', { lost: html`<a href="${href(lostPath)}">${words.of('lostYourKey')}</a>` }));
  }
  return help === null ? null : aside(words.of('lostAsk', { ask: helpLink(words.plain('askForHelp'), help) }));
}
