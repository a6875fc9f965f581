import type { AppKey } from '../../../../core/key/app/app-key.ts';
import type { Page } from '../../../../core/paging/page.ts';
import type { Product } from '../../../../core/product/products.port.ts';
import type { DeclaredTier } from '../../../../core/tier/tier.ts';
import type { ShownTrial } from '../../../../core/trial/trial.ts';
import { hiddenHostOf } from '../../marketplace/tile.ts';
import { html, type Html } from '../../markup/html.ts';
import { table } from '../../markup/table.ts';
import { dayOf, instant } from '../display/dates.ts';
import { headedPage, primaryLink } from '../display/headed-page.ts';
import { pageLinks } from '../display/paging.ts';
import { crumbs, empty, facts, mono, written, type Crumb } from '../display/parts.ts';
import type { PageContent, PageView } from '../display/view.ts';
import { hiddenPictureText } from '../form/picture-remarks.ts';
import { idSegment } from '../frame/id-segment.ts';
import { keyTable } from '../keys/key-table.ts';
import { tiersSection, type TierPaths } from '../tiers/tier-sections.ts';
import { trialsSection } from '../trials/trial-sections.ts';

export const productsPath = '/console/products';
export const addProductPath = `${productsPath}/add`;

/** The texts on the page of a product after a change. */
export const productDone = {
  added: 'The product was added.',
  renamed: 'The product was renamed.',
  linked: 'The links and the icon were saved.',
  mail: 'The mail was changed.',
  'tier-declared': 'The tier was declared.',
  'tier-changed': 'What the tier allows was changed.',
  'tier-deleted': 'The tier was deleted.',
  revoked: 'The app key was revoked.',
};

/** The path of a product's page, or of one of its changes. */
export function productPath(id: string, change = ''): string {
  return `${productsPath}/${idSegment(id)}${change === '' ? '' : `/${change}`}`;
}

/**
 * The paths by which the tiers of a product are changed. No page stands beside those of a tier, whose id may be any
 * word.
 */
export function tierPaths(productId: string): TierPaths {
  return {
    add: productPath(productId, 'tiers/add'),
    of: (id, change) => productPath(productId, `tiers/${id}/${change}`),
  };
}

/** The breadcrumbs to a page about a product. */
export function crumbsTo({ id, name }: Product): readonly Crumb[] {
  return [
    { href: productsPath, text: 'Products' },
    { href: productPath(id), text: name },
  ];
}

/** The path of a change of an app key. */
export function appKeyPath(id: string, change: 'rotate' | 'revoke'): string {
  return `/console/app-keys/${id}/${change}`;
}

/** The list of products. */
export function productListPage(view: PageView, { items, next }: Page<Product>, after: string | null): PageContent {
  const add = view.may('admin:access') && !view.isLimited ? { href: addProductPath, text: 'Add product' } : null;
  const isEmpty = items.length === 0 && after === null;
  return headedPage(
    { title: 'Products and app keys', beside: add === null || isEmpty ? null : primaryLink(add) },
    isEmpty
      ? empty(
          view,
          'product',
          'No product yet',
          'A product is what you sell. Its servers sign in with app keys, and entitlements belong to it.',
          { link: add, command: 'latchkey product add --id sketchpad --name Sketchpad' },
        )
      : html`${productTable(items)} ${pageLinks(productsPath, new URLSearchParams(), after, next)}`,
  );
}

function productTable(items: readonly Product[]): Html {
  return table(
    'Products, by id',
    [
      {
        heading: 'Product',
        cell: ({ id, name }) =>
          html`<a class="row" href="${productPath(id)}">${written(name)}</a><span class="sub mono">${id}</span>`,
      },
      { heading: 'Added', isMuted: true, cell: ({ createdAt }) => dayOf(createdAt) },
    ],
    items,
  );
}

/** The parts of a product's page besides its facts. */
export interface ProductParts {
  readonly tiers: readonly DeclaredTier[];
  readonly keys: Page<AppKey>;
  /** The newest. */
  readonly trials: Page<ShownTrial>;
  /** The hosts from which buyers are shown icons. */
  readonly imageHosts: readonly string[];
}

/** One product, with its tiers, its trials and its app keys. */
export function productPage(
  view: PageView,
  product: Product,
  { tiers, keys: { items, next }, trials, imageHosts }: ProductParts,
  after: string | null,
  done: Html | null,
): PageContent {
  const { id, name, createdAt, downloadUrl, supportUrl, accountUrl, activateUrl, iconUrl } = product;
  const { mailKeys, mailSubject, mailText, mailEnding } = product;
  const mayChange = view.may('admin:access');
  const issue = { href: productPath(id, 'app-keys/issue'), text: 'Issue app key' };
  return {
    title: name,
    main: html`<div class="page">
      <div class="title">
        ${crumbs([{ href: productsPath, text: 'Products' }], id)}
        <div class="line">
          <h1>${written(name)}</h1>
          ${
            mayChange
              ? html`<div class="buttons">
                  <a class="button" href="${productPath(id, 'rename')}">Rename</a
                  ><a class="button" href="${productPath(id, 'links')}">Links</a
                  ><a class="button" href="${productPath(id, 'mail')}">Mail</a
                  ><a class="button primary" href="${issue.href}">${issue.text}</a>
                </div>`
              : null
          }
        </div>
      </div>
      ${done}
      ${facts(
        [
          ['Id', mono(id)],
          ['Added', instant(createdAt)],
          ['Download page', linkOf(downloadUrl)],
          ['Help', linkOf(supportUrl)],
          ['Account page', linkOf(accountUrl)],
          ['Link into the app', activateUrl === null ? none : mono(activateUrl)],
          ['Icon', iconOf(iconUrl, imageHosts)],
          ['Key by mail', mailKeys ? 'After a sale of Stripe' : 'Never'],
          ['Subject of the mail', mailSubject === null ? none : written(mailSubject)],
          ['Text of the mail', mailText === null ? none : written(mailText)],
          ['Mail before access ends', mailEnding ? 'For a sale of Stripe' : 'Never'],
        ],
        'boxed',
      )}
      ${tiersSection(tiers, view.may('admin:catalog') ? tierPaths(id) : null)} ${trialsSection(id, trials, view)}
      <section class="section">
        <h2>App keys</h2>
        ${
          items.length === 0 && after === null
            ? empty(
                view,
                'key',
                'No app key yet',
                'With an app key, the servers of the product read and change its entitlements.',
                { link: mayChange ? issue : null, command: `latchkey key issue --product ${id}` },
              )
            : html`${keyTable({
                caption: 'App keys, the oldest first',
                keys: items,
                now: view.now,
                name: null,
                changePath: mayChange ? (key, change) => appKeyPath(key.id, change) : null,
              })}
              ${pageLinks(productPath(id), new URLSearchParams(), after, next)}`
        }
      </section>
    </div>`,
  };
}

const none = html`<span class="muted">None</span>`;

function linkOf(url: string | null): Html {
  return url === null ? none : html`<a href="${url}" rel="noopener">${url}</a>`;
}

/** The address of an icon, and why its buyers do not see it. The console loads no images. */
function iconOf(iconUrl: string | null, imageHosts: readonly string[]): Html {
  const host = hiddenHostOf(iconUrl ?? '', imageHosts);
  const remark = host === null ? null : html`<span class="sub">${hiddenPictureText(host)}</span>`;
  return html`${linkOf(iconUrl)}${remark}`;
}
