import type { Listing } from '../../../core/catalog/listing.ts';
import { affiliatesPath } from '../marketplace/offer.ts';
import { html, type Html } from '../markup/html.ts';
import type { Layout, Page } from '../markup/layout.ts';
import { lineField } from './fields.ts';

/** The paths of the page where affiliates ask for the link to their page, and of the page after its form. */
export const askPath = affiliatesPath;
export const sentPath = `${askPath}/sent`;

/** The content of the page that asks for an address. */
export interface Asking {
  /** Whether mail is sent, so that there is a form. */
  readonly isMailed: boolean;
  /** The listing that the affiliate came from; null for none. */
  readonly listing: Listing | null;
  /** A text that was typed instead of an address; null for none. */
  readonly wrong: string | null;
}

/** The page that asks an affiliate for the address to which the link is mailed. */
export function askPage(layout: Layout, { isMailed, listing, wrong }: Asking): Page {
  const heading = listing === null ? html`Your page for affiliates` : html`Promote <bdi>${listing.name}</bdi>`;
  const says = isMailed
    ? 'Your page for affiliates opens by a link. We mail it to the address that you gave when you were invited.'
    : 'Your page for affiliates opens by a link. This site sends no mail: ask the operator for it.';
  return page(
    'Affiliates',
    html`<header>
        <h1>${heading}</h1>
        <p>${says}</p>
      </header>
      ${isMailed ? form(layout, listing, wrong) : helpOf(layout)}
      <p class="aside">
        Not an affiliate yet? <a href="${layout.href('/waitlist?role=creator')}">Join the waitlist</a> as a creator, and
        you may be invited.
      </p>`,
  );
}

function form(layout: Layout, listing: Listing | null, wrong: string | null): Html {
  const mistake = wrong === null ? null : 'Enter a valid e-mail address, such as ada@example.com.';
  const more = html` type="email" autocomplete="email" required
  maxlength="254"${wrong === null ? null : html` autofocus`}`;
  return html`<form method="post" action="${layout.href(askPath)}" class="sheet" novalidate>
    ${listing === null ? null : html`<input type="hidden" name="listing" value="${listing.slug}" />`}
    ${lineField({ name: 'email', label: 'E-mail address', more, value: wrong ?? '', mistake })}
    <button class="button primary large">Mail my link</button>
  </form>`;
}

/** The button for help, if the site has an address for it. */
export function helpOf({ site: { help } }: Layout): Html | null {
  return help === null ? null : html`<div class="buttons"><a class="button primary" href="${help}">Help</a></div>`;
}

/** The page after an address was given. It is the same for known and unknown ones. */
export function sentPage(layout: Layout, from: string): Page {
  return page(
    'Look into your mail',
    html`<header>
        <h1>Look into your mail</h1>
        <p>If an affiliate has this address, a link is on its way. It can take a few minutes.</p>
      </header>
      <ul class="plain">
        <li>Nothing there? Look into the spam folder, and for a mail of <span class="mono">${from}</span>.</li>
        <li>Try the address to which you were invited.</li>
        <li>An address gets at most three of these mails in an hour.</li>
      </ul>
      <div class="buttons"><a class="button" href="${layout.href(askPath)}">Try another address</a></div>`,
  );
}

/** A page for affiliates, which no search engine keeps. */
export function page(title: string, content: Html, more = ''): Page {
  return {
    title,
    description: 'For affiliates.',
    canonical: null,
    main: html`<div class="wrap"><div class="${`buyer${more}`}">${content}</div></div>`,
  };
}
