import { activationLink } from '../../../core/product/activate-url.ts';
import type { Product } from '../../../core/product/products.port.ts';
import { html, type Html } from '../markup/html.ts';
import { icon, type Icon } from '../markup/icons.ts';
import type { Page } from '../markup/layout.ts';
import type { Words } from '../markup/words.ts';

/** The parts of the site that all pages of a license need. */
export interface BuyersSite {
  readonly words: Words;
  /** The address of a path as pages link to it. */
  readonly href: (path: string) => string;
  /** Where help is for a product without its own; null for nowhere. */
  readonly help: string | null;
  /** The name of the site. */
  readonly name: string;
  /** The hosts from which icons of products are shown, such as `cdn.example`. */
  readonly imageHosts: readonly string[];
  /** Whether lost keys are mailed. */
  readonly mailsLostKeys: boolean;
}

/** A page for a buyer, from its heading on. */
export function buyersPage({ words }: BuyersSite, title: string, content: Html, isStart = false): Page {
  return {
    title,
    description: words.plain('description'),
    canonical: null,
    isForBuyers: true,
    ...(isStart && { current: '/license' }),
    main: html`<div class="wrap"><div class="buyer">${content}</div></div>`,
  };
}

export function aside(content: Html, more = ''): Html {
  return html`<p class="${`aside${more}`}">${content}</p>`;
}

/** The code of a refusal, for the seller's help. */
export function errorLine(words: Words, code: string, correlationId: string): Html {
  const parts = {
    code: html`<span class="mono">${code}</span>`,
    request: html`<span class="mono">${correlationId}</span>`,
  };
  return aside(words.of('errorLine', parts), ' code-line muted small');
}

/** A link that leaves the site. */
export function outLink(url: string, text: Html | string): Html {
  return html`<a href="${url}" rel="noopener">${text}</a>`;
}

/** A link to help, by web or by mail. */
export function helpLink(text: Html | string, url: string): Html {
  return url.startsWith('mailto:') ? html`<a href="${url}">${text}</a>` : outLink(url, text);
}

/** An address as people write it, without its scheme. */
export function withoutScheme(url: string): string {
  return url.slice(url.indexOf('://') + '://'.length);
}

/** The host of a link, as its text. */
export function hostOf(url: string): string {
  return URL.parse(url)?.host ?? url;
}

export function section(id: string, heading: Html, content: Html): Html {
  return html`<section class="section" aria-labelledby="${id}">
    <h2 id="${id}">${heading}</h2>
    ${content}
  </section>`;
}

interface Folded {
  /** Whether it is open when the page arrives. */
  readonly isOpen: boolean;
  readonly heading: Html;
  /** The content in a few words; null for nothing more than the heading. */
  readonly says: Html | null;
  readonly content: Html;
}

/** A part of a page that its heading opens, without a script. */
export function folded({ isOpen, heading, says, content }: Folded): Html {
  const more = says === null ? null : html` <br /><span class="muted small">${says}</span>`;
  return html`<details class="folded" ${isOpen ? html` open` : null}>
    <summary>${heading}${more}</summary>
    <div>${content}</div>
  </details>`;
}

interface Note {
  readonly tone: 'ok' | 'warn' | 'bad';
  /** Read aloud when the page has arrived; absent for a part of the page. */
  readonly role?: 'status' | 'alert';
  readonly title: Html;
  readonly says: Html;
}

const noteIcons: Readonly<Record<Note['tone'], Icon>> = { ok: 'done', warn: 'warning', bad: 'alert' };

export function note({ tone, role, title, says }: Note): Html {
  return html`<div class="note ${tone}" ${role === undefined ? null : html` role="${role}"`}>
    ${icon(noteIcons[tone])}
    <div>
      <strong>${title}</strong>
      <p>${says}</p>
    </div>
  </div>`;
}

/** The way from a key into the app, where the product has a link for it. It stands below the key, and nowhere else. */
export function openInApp(words: Words, product: Product | null, licenseKey: string): Html | null {
  if (product === null || product.activateUrl === null) return null;
  const name = html`<bdi>${product.name}</bdi>`;
  return html`<div class="open-in">
    <div class="buttons">
      <a class="button" href="${activationLink(product.activateUrl, licenseKey)}"
        >${words.of('openIn', { product: name })}</a
      >
    </div>
    <p class="hint">${words.of('openInElse', { product: name })}</p>
  </div>`;
}

/** A secret that is selected by one click. */
export function secretBox(words: Words, label: Html, secret: string, more = ''): Html {
  return html`<div class="field">
    <span class="label" id="secret-label">${label}</span
    ><code class="${`secret${more}`}" tabindex="0" role="textbox" aria-readonly="true" aria-labelledby="secret-label"
      >${secret}</code
    >
    <p class="hint">${words.of('clickToSelect')}</p>
  </div>`;
}
