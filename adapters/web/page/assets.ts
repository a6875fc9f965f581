import { readFileSync } from 'node:fs';
import { readableOn } from './colors.ts';
import { Content } from './content.ts';
import type { PageRoute, Refused, Site } from './page.ts';

/** A file whose name changes with its content, so that caches may keep it for ever. */
export interface Asset {
  /** Below the base path: `/assets/latchkey-1a2b3c4d.css`. */
  readonly path: string;
  readonly content: Content;
}

const types = {
  css: 'text/css',
  js: 'text/javascript',
  svg: 'image/svg+xml',
  woff2: 'font/woff2',
} as const;

/** The `Cache-Control` of files whose name changes with their content. */
export const immutable = 'public, max-age=31536000, immutable';

/** The files of every page, in the colors of the site. */
export interface Assets {
  readonly stylesheet: Asset;
  readonly script: Asset;
  readonly icon: Asset;
  /** The face of every page, for Latin letters and for more of them. Only pages with such letters load the second. */
  readonly latin: Asset;
  readonly latinExt: Asset;
}

export function createAssets({ accent }: Pick<Site, 'accent'>): Assets {
  const onAccent = readableOn(accent);
  const colors = `:root{--accent:${accent};--on-accent:${onAccent}}\n`;
  const icon = read('icon.svg').replaceAll('currentColor', accent).replaceAll('#fff', onAccent);
  const [latin, latinExt] = [fontAsset('inter-latin.woff2'), fontAsset('inter-latin-ext.woff2')];
  const styles = read('latchkey.css')
    .replace("'inter-latin.woff2'", `'${fileName(latin)}'`)
    .replace("'inter-latin-ext.woff2'", `'${fileName(latinExt)}'`);
  return {
    stylesheet: asset('latchkey.css', colors + styles),
    script: asset('pages.js', read('pages.js')),
    icon: asset('icon.svg', icon),
    latin,
    latinExt,
  };
}

function fontAsset(name: string): Asset {
  return asset(name, readFileSync(assetUrl(name)));
}

/** The address of a file as a style sheet beside it names it. */
function fileName({ path }: Asset): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** Names a file by its content. `name` is without a folder. */
export function asset(name: string, content: string | Buffer): Asset {
  const [base = '', extension = ''] = name.split('.');
  const made = new Content(types[extension as keyof typeof types], content);
  return { path: `/assets/${base}-${made.digest.slice(0, 10)}.${extension}`, content: made };
}

/** Serves these files, and nothing else below `/assets/`. */
export function assetRoute(assets: readonly Asset[], refused: Refused): PageRoute {
  const byPath = new Map(assets.map(({ path, content }) => [path, content]));
  return {
    id: 'getPageAsset',
    method: 'GET',
    path: '/assets/:name',
    handle: async (request) => {
      const content = byPath.get(`/assets/${request.parameters['name'] ?? ''}`);
      return content === undefined ? refused('not_found', request) : content.answer(request, immutable);
    },
  };
}

/** Reads a file beside the sources, as they are installed. */
export function read(name: string): string {
  return readFileSync(assetUrl(name), 'utf8');
}

function assetUrl(name: string): URL {
  return new URL(`../assets/${name}`, import.meta.url);
}
