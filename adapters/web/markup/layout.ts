import type { Assets } from '../page/assets.ts';
import type { Site } from '../page/page.ts';
import { html, jsonScript, type Html } from './html.ts';

/** The facts that all pages share. */
export interface LayoutSettings {
  readonly site: Site;
  /** The absolute URL of the service. */
  readonly baseUrl: () => string;
  /** The path of that URL, without a slash at its end. */
  readonly basePath: string;
  readonly assets: Assets;
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
  /** Stylesheets and scripts of this page alone, by path. */
  readonly stylesheets?: readonly string[];
  readonly scripts?: readonly string[];
  readonly main: Html;
}

/** Renders whole pages of a site. */
export class Layout {
  readonly #settings: LayoutSettings;

  constructor(settings: LayoutSettings) {
    this.#settings = settings;
  }

  get siteName(): string {
    return this.#settings.site.name;
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
    const { text } = html`<!doctype html>
      <html lang="en">
        <head>
          ${this.#head(page)}
        </head>
        <body>
          <a class="skip" href="#main">Skip to content</a>
          ${this.#header()}
          <main id="main">${page.main}</main>
          ${this.#footer()}
        </body>
      </html> `;
    return text;
  }

  #head({ title, description, canonical, head = [], data = [], isProduct = false, ...own }: Page): Html {
    const { name, logo } = this.#settings.site;
    const { stylesheet, icon } = this.#settings.assets;
    const { scripts = [] } = own;
    const whole = title === null ? name : `${title} · ${name}`;
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
      ${logo === null ? null : html`<meta property="og:image" content="${URL.parse(logo, this.url('/'))?.href ?? logo}" />`}
      <link rel="icon" type="image/svg+xml" href="${this.href(icon.path)}" />
      ${[stylesheet.path, ...(own.stylesheets ?? [])].map(
        (path) => html`<link rel="stylesheet" href="${this.href(path)}" /> `,
      )}${head}${scripts.map(
        (path) => html`<script type="module" src="${this.href(path)}"></script> `,
      )}${data.map(jsonScript)}`;
  }

  #header(): Html {
    const { name, logo } = this.#settings.site;
    const image = logo === null ? null : html`<img src="${logo}" alt="" height="32" />`;
    return html`<header class="site">
      <a class="brand" href="${this.href('/')}">${image}<span>${name}</span></a>
      <nav aria-label="Site">
        <a href="${this.href('/')}">Marketplace</a> <a href="${this.href('/waitlist')}">Waitlist</a>
        <a href="${this.href('/docs')}">API</a>
      </nav>
    </header>`;
  }

  #footer(): Html {
    const { name, links } = this.#settings.site;
    const items = links.map(({ label, url }) => html`<li><a href="${url}">${label}</a></li>`);
    return html`<footer class="site">
      <p>${name}</p>
      ${
        items.length === 0
          ? null
          : html`<ul>
              ${items}
            </ul>`
      }
    </footer>`;
  }
}

/** The content policy of a page: it may load from its own server, and the logo. */
export function contentPolicyFor({ logo }: Pick<Site, 'logo'>): string {
  const logoOrigin = logo === null ? null : (URL.parse(logo)?.origin ?? null);
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src 'self' data:${logoOrigin === null ? '' : ` ${logoOrigin}`}`,
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
