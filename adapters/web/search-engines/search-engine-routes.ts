import { Content } from '../page/content.ts';
import type { PageRoute, Refused } from '../page/page.ts';
import { keptPerRevision, RevisionCache } from '../page/revision-cache.ts';
import { sitemap, sitemapPart, type SitemapSettings } from './sitemap.ts';

export interface SearchEngineSettings extends SitemapSettings {
  /** The address of a path on this server. */
  readonly href: (path: string) => string;
  readonly refused: Refused;
  /** The `Cache-Control` of texts that show the catalog. */
  readonly cacheControl: () => string;
}

/** `/robots.txt` of a site that no search engine may keep. */
export function closedRobotsRoute(cacheControl: string): PageRoute {
  const content = new Content('text/plain', 'User-agent: *\nDisallow: /\n');
  return {
    id: 'getRobots',
    method: 'GET',
    path: '/robots.txt',
    handle: async (request) => content.answer(request, cacheControl),
  };
}

/** `/robots.txt`, `/sitemap.xml` and its parts. */
export function searchEngineRoutes(given: SearchEngineSettings): readonly PageRoute[] {
  const { catalog, url, href, refused, cacheControl } = given;
  const settings = { ...given, storefronts: keptPerRevision(() => catalog.revision(), given.storefronts) };
  const cache = new RevisionCache(() => catalog.revision());
  return [
    {
      id: 'getRobots',
      method: 'GET',
      path: '/robots.txt',
      handle: async (request) => {
        const text = `User-agent: *\nDisallow: ${href('/api/')}\nSitemap: ${url('/sitemap.xml')}\n`;
        return new Content('text/plain', text).answer(request, cacheControl());
      },
    },
    {
      id: 'getSitemap',
      method: 'GET',
      path: '/sitemap.xml',
      handle: async (request) => {
        await catalog.loaded(request.call);
        const render = async (): Promise<Content> =>
          new Content('application/xml', await sitemap(settings, request.call));
        return (await cache.get('whole', render)).answer(request, cacheControl());
      },
    },
    {
      id: 'getSitemapPart',
      method: 'GET',
      path: '/sitemaps/:name',
      handle: async (request) => {
        const part = partOf(request.parameters['name'] ?? '');
        if (part === null) return refused('not_found', request);
        await catalog.loaded(request.call);
        const render = async (): Promise<Content> =>
          new Content('application/xml', (await sitemapPart(settings, part, request.call)) ?? '');
        const content = await cache.get(String(part), render);
        return content.bytes.length === 0 ? refused('not_found', request) : content.answer(request, cacheControl());
      },
    },
  ];
}

/** The number in `12.xml`; null for any other name. */
function partOf(name: string): number | null {
  const part = Number.parseInt(name, 10);
  return part > 0 && name === `${part}.xml` ? part : null;
}
