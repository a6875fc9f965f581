import { isLoopbackHost } from '../../../core/parsing/host-pattern.ts';
import type { Assets } from '../page/assets.ts';
import type { Site } from '../page/page.ts';
import { englishTexts } from './buyer-texts.ts';
import { html, jsonScript, type Html } from './html.ts';
import { mark } from './icons.ts';
import { Words } from './words.ts';

/** The facts that all pages share. */
export interface LayoutSettings {
  readonly site: Site;
  /** The absolute URL of the service. */
  readonly baseUrl: () => string;
  /** The path of that URL, without a slash at its end. */
  readonly basePath: string;
  readonly assets: Assets;
  /** Whether all pages are for buyers, and none for visitors of the marketplace. */
  readonly isForBuyers: boolean;
  /** Whether buyers have a page of their license, to which all pages for them lead. */
  readonly hasLicensePage: boolean;
  /** The texts and the language of pages for buyers. Those of the marketplace are English. */
  readonly words: Words;
  /** Whether buyers who have lost their keys are mailed them. */
  readonly mailsLostKeys: boolean;
}

/** The main content of a page, and its metadata. */
export interface Page {
  /** Null for the name of the site alone. */
  readonly title: string | null;
  readonly description: string;
  /** The path and query under which search engines keep it; null for a page that they leave out. */
  readonly canonical: string | null;
  /** More for the head: links to other pages, and data about the content. */
  readonly head?: readonly Html[];
  readonly data?: readonly object[];
  readonly isProduct?: boolean;
  /** Whether it is for a buyer, who has no use for the marketplace. */
  readonly isForBuyers?: boolean;
  /** The image in previews of links; the logo by default. */
  readonly image?: string | null;
  /** The entry of the navigation that the page is, by its path. */
  readonly current?: (typeof navigation)[number][0] | typeof licensePath | typeof lostPath;
  /** Stylesheets and scripts of this page alone, by path. */
  readonly stylesheets?: readonly string[];
  readonly scripts?: readonly string[];
  readonly main: Html;
}

/** The page that all pages for buyers link to, and the one for lost keys. */
export const licensePath = '/license';
export const lostPath = '/license/lost';

const english = new Words(englishTexts, 'en');

/** The paths and names of the pages that every page links to. */
const navigation = [
  ['/', 'Marketplace'],
  ['/waitlist', 'Waitlist'],
  ['/docs', 'API'],
] as const;

/** Renders whole pages of a site. */
export class Layout {
  readonly #settings: LayoutSettings;

  constructor(settings: LayoutSettings) {
    this.#settings = settings;
  }

  get site(): Site {
    return this.#settings.site;
  }

  /** The address of a path as pages link to it. */
  href(path: string): string {
    return this.#settings.basePath + path;
  }

  /** The address of a path as other sites link to it. */
  url(path: string): string {
    return this.#settings.baseUrl() + path;
  }

  render(page: Page): string {
    const { isForBuyers = this.#settings.isForBuyers } = page;
    const words = isForBuyers ? this.#settings.words : english;
    const direction = words.direction === 'rtl' ? html` dir="rtl"` : null;
    const { text } = html`<!doctype html>
      <html lang="${words.language}" ${direction}>
        <head>
          ${this.#head(page)}
        </head>
        <body class="shop">
          <a class="skip" href="#main">${words.of('skip')}</a>
          ${this.#header(page, isForBuyers, words)}
          <main id="main">${page.main}</main>
          ${this.#footer(words)}
        </body>
      </html> `;
    return text;
  }

  #head({ title, description, canonical, head = [], data = [], isProduct = false, image, ...own }: Page): Html {
    const { name, logo } = this.#settings.site;
    const { stylesheet, icon, latin } = this.#settings.assets;
    const { scripts = [] } = own;
    const whole = title === null ? name : `${title} · ${name}`;
    const preview = image ?? logo;
    return html`<meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <title>${whole}</title>
      <meta name="description" content="${description}" />
      <meta name="color-scheme" content="light dark" />
      ${
        canonical === null
          ? html`<meta name="robots" content="noindex, follow" />`
          : html`<link rel="canonical" href="${this.url(canonical)}" />
              <meta property="og:url" content="${this.url(canonical)}" />`
      }
      <meta property="og:site_name" content="${name}" />
      <meta property="og:title" content="${title ?? name}" />
      <meta property="og:description" content="${description}" />
      <meta property="og:type" content="${isProduct ? 'product' : 'website'}" />
      ${preview === null ? null : html`<meta property="og:image" content="${URL.parse(preview, this.url('/'))?.href ?? preview}" />`}
      <link rel="icon" type="image/svg+xml" href="${this.href(icon.path)}" />
      <link rel="preload" href="${this.href(latin.path)}" as="font" type="font/woff2" crossorigin />
      ${[stylesheet.path, ...(own.stylesheets ?? [])].map(
        (path) => html`<link rel="stylesheet" href="${this.href(path)}" /> `,
      )}${head}${scripts.map(
        (path) => html`<script type="module" src="${this.href(path)}"></script> `,
      )}${data.map(jsonScript)}`;
  }

  #header({ current }: Page, isForBuyers: boolean, words: Words): Html {
    const { name, logo } = this.#settings.site;
    const image = logo === null ? mark : html`<img src="${logo}" alt="" height="32" />`;
    if (isForBuyers && !this.#settings.hasLicensePage) {
      return html`<header>
        <div class="wrap">
          <span class="brand">${image}<span dir="auto">${name}</span></span>
        </div>
      </header>`;
    }
    const ofBuyers = [
      [licensePath, words.plain('yourLicense')] as const,
      ...(this.#settings.mailsLostKeys ? [[lostPath, words.plain('lostYourKey')] as const] : []),
    ];
    const pages = isForBuyers ? ofBuyers : navigation;
    const entries = pages.map(
      ([path, text]) =>
        html`<li>
          <a href="${this.href(path)}" ${path === current ? html` aria-current="page"` : null}>${text}</a>
        </li> `,
    );
    return html`<header>
      <div class="wrap">
        <a class="brand" href="${this.href(isForBuyers ? licensePath : '/')}"
          >${image}<span dir="auto">${name}</span></a
        >
        <nav aria-label="${words.plain('site')}">
          <ul>
            ${entries}
          </ul>
        </nav>
      </div>
    </header>`;
  }

  /** The foot of a page. Its last element says that all of it has arrived: until then the stylesheet hides it. */
  #footer(words: Words): Html {
    const { name, footerLinks, privacy, help, owner } = this.#settings.site;
    const all = [
      ...footerLinks,
      ...(privacy === null ? [] : [{ label: words.plain('privacy'), url: privacy }]),
      ...(help === null ? [] : [{ label: words.plain('help'), url: help }]),
    ];
    const items = all.map(
      ({ label, url }) =>
        html`<li dir="auto">
          <a href="${url}">${label}</a>
        </li> `,
    );
    return html`<footer>
      <div class="wrap">
        <p dir="auto">${name}</p>
        ${
          items.length === 0
            ? null
            : html`<ul>
                ${items}
              </ul>`
        }
        ${owner === null ? null : html`<p class="imprint" dir="auto">${words.of('runBy', { owner })}</p>`}
      </div>
      <span hidden></span>
    </footer>`;
  }
}

/** The content policy of a page without scripts. */
export function policyWithoutScripts(policy: string): string {
  return policy
    .split('; ')
    .filter((rule) => !/^(script|connect)-src /.test(rule))
    .join('; ');
}

/** The origins of a host, as the rule for URLs has them: this machine needs no TLS. */
function originsOf(host: string): readonly string[] {
  const [name = ''] = host.split(':');
  return isLoopbackHost(name) ? [`https://${host}`, `http://${host}`] : [`https://${host}`];
}

/** The content policy of a page: it may load from its own server, the logo, and images from the hosts of the site. */
export function contentPolicyFor({ logo, imageHosts }: Pick<Site, 'logo' | 'imageHosts'>): string {
  const logoOrigin = logo === null ? null : (URL.parse(logo)?.origin ?? null);
  const origins = new Set([...(logoOrigin === null ? [] : [logoOrigin]), ...imageHosts.flatMap(originsOf)]);
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    ["img-src 'self' data:", ...origins].join(' '),
    "font-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
