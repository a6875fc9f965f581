import { aside, buyersPage, helpLink, type BuyersSite } from '../buyers/parts.ts';
import { html, type Html } from '../markup/html.ts';
import { lostPath, type Page } from '../markup/layout.ts';

/** A text that was typed instead of an address. */
interface WrongAddress {
  readonly typed: string;
}

/** The page that asks for the address of somebody who has lost the keys. */
export function lostPage(site: BuyersSite, wrong: WrongAddress | null): Page {
  const { words, help, name } = site;
  const ask = help === null ? null : helpLink(words.of('ask', { product: html`<bdi>${name}</bdi>` }), help);
  return {
    ...buyersPage(
      site,
      words.plain('lostYourKey'),
      html`<header>
          <h1>${words.of('lostYourKey')}</h1>
          <p>${words.of('lostSays')}</p>
        </header>
        ${addressForm(site, wrong)} ${ask === null ? null : aside(words.of('otherAddress', { ask }))}`,
    ),
    current: lostPath,
  };
}

function addressForm({ words, href }: BuyersSite, wrong: WrongAddress | null): Html {
  const error = wrong === null ? null : html`<p class="error" id="email-error">${words.of('emailError')}</p>`;
  return html`<div class="sheet">
    <form method="post" action="${href(lostPath)}" novalidate>
      <div class="field">
        <label for="email">${words.of('email')}</label>${error}<input
          id="email"
          name="email"
          type="email"
          ${wrong === null ? null : html`value="${wrong.typed}"`}
          autocomplete="email"
          required
          maxlength="254"
          ${wrong === null ? null : html` aria-invalid="true" aria-describedby="email-error" autofocus`}
        />
      </div>
      <button class="button primary">${words.of('mailMyKeys')}</button>
    </form>
  </div>`;
}

/** The page after an address was given. It is the same for known and unknown ones. */
export function lostSentPage(site: BuyersSite, from: string): Page {
  const { words, href } = site;
  return {
    ...buyersPage(
      site,
      words.plain('sentTitle'),
      html`<header>
          <h1>${words.of('sentTitle')}</h1>
          <p>${words.of('sentSays')}</p>
        </header>
        <ul class="plain">
          <li>${words.of('nothingThere', { from: html`<span class="mono">${from}</span>` })}</li>
          <li>${words.of('tryEach')}</li>
          <li>${words.of('atMostThree')}</li>
        </ul>
        <div class="buttons"><a class="button" href="${href(lostPath)}">${words.of('tryAnother')}</a></div>`,
    ),
    current: lostPath,
  };
}
