import { setImmediate } from 'node:timers/promises';
import type { Call } from '../../../core/call.ts';
import type { Catalog } from '../../../core/catalog/catalog.port.ts';
import { readListingQuery } from '../../../core/catalog/listing-query.ts';
import { storefrontPath } from '../affiliates/storefront-page.ts';
import { listingPath } from '../marketplace/listing-cards.ts';
import { escapeMarkup } from '../markup/html.ts';

/** The maximum number of addresses in a sitemap (sitemaps.org). */
export const maxAddresses = 50_000;

const namespace = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';

/** The pages that search engines keep besides those of listings. */
const ownPaths: readonly string[] = ['/', '/waitlist', '/docs'];

const addressesPerStep = 1000;

export interface SitemapSettings {
  readonly catalog: Catalog;
  /** The absolute address of a path. */
  readonly url: (path: string) => string;
  /** The maximum number of addresses in one sitemap. */
  readonly maxAddresses: number;
  /** Lists the handles that have a storefront. */
  readonly storefronts: (call: Call) => Promise<readonly string[]>;
}

/** The path of a sitemap among several, counted from one. */
function partPath(part: number): string {
  return `/sitemaps/${part}.xml`;
}

/** Writes the sitemap of all pages, or the index of its parts where one would be too long. */
export async function sitemap(settings: SitemapSettings, call: Call): Promise<string> {
  const count = await countParts(settings, call);
  if (count === 1) return (await sitemapPart(settings, 1, call)) ?? '';
  const parts = Array.from(
    { length: count },
    (_, index) => `<sitemap><loc>${settings.url(partPath(index + 1))}</loc></sitemap>\n`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n<sitemapindex ${namespace}>\n${parts.join('')}</sitemapindex>\n`;
}

/** Writes one part of the sitemap, counted from one; null if it has no such part. */
export async function sitemapPart(settings: SitemapSettings, part: number, call: Call): Promise<string | null> {
  if (part > (await countParts(settings, call))) return null;
  const first = (part - 1) * settings.maxAddresses;
  const own = ownPaths.slice(first, first + settings.maxAddresses);
  const { listings, meta } = await settings.catalog.listingPage(
    { ...everyListing, offset: Math.max(0, first - ownPaths.length), limit: settings.maxAddresses - own.length },
    call,
  );
  const skipped = Math.max(0, first - ownPaths.length - meta.total);
  const left = settings.maxAddresses - own.length - listings.length;
  const handles = (await settings.storefronts(call)).slice(skipped, skipped + left);
  let text = `<?xml version="1.0" encoding="UTF-8"?>\n<urlset ${namespace}>\n`;
  for (const path of own) text += entry(settings.url(path));
  for (const [index, listing] of listings.entries()) {
    text += entry(settings.url(listingPath(listing)));
    if (index % addressesPerStep === addressesPerStep - 1) await setImmediate(); // other requests are answered in between
  }
  for (const handle of handles) text += entry(settings.url(storefrontPath(handle)));
  return `${text}</urlset>\n`;
}

const everyListing = readListingQuery((name) => (name === 'sort' ? 'new' : null));

async function countParts(settings: SitemapSettings, call: Call): Promise<number> {
  const { meta } = await settings.catalog.listingPage({ ...everyListing, limit: 0 }, call);
  const { length } = await settings.storefronts(call);
  return Math.ceil((ownPaths.length + meta.total + length) / settings.maxAddresses);
}

function entry(url: string): string {
  return `<url><loc>${escapeMarkup(url)}</loc></url>\n`;
}
