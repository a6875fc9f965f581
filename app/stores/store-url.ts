import { unexpandedIn } from '../../core/parsing/path-rules.ts';
import { placeholderIn } from '../../core/parsing/placeholders.ts';

export type StoreKind = 'memory' | 'sqlite' | 'mongodb';

const urls: Readonly<Record<StoreKind, RegExp>> = {
  memory: /^memory:$/,
  sqlite: /^sqlite:./,
  mongodb: /^mongodb(\+srv)?:\/\/./,
};

const kinds = Object.keys(urls) as readonly StoreKind[];

/** Returns the kind of store at a URL, or null for an unknown scheme. */
export function storeKindOf(url: string): StoreKind | null {
  return kinds.find((kind) => urls[kind].test(url)) ?? null;
}

/**
 * Finds the requirement that the URL of a store breaks, without repeating it: "must be …". Null if it breaks none. A path
 * that nobody would mean as it stands is refused, because the store would be made there.
 */
export function brokenStoreUrl(url: string): string | null {
  const kind = storeKindOf(url);
  if (kind === null) return 'must be memory:, sqlite:PATH or mongodb://HOST/DATABASE';
  return (kind === 'sqlite' ? brokenPath(url.slice('sqlite:'.length)) : null) ?? placeholderIn(url);
}

const forms = 'sqlite:data/latchkey.db or sqlite:/var/lib/latchkey/latchkey.db';

function brokenPath(path: string): string | null {
  if (path.trim() !== path || /\p{Cc}/u.test(path) || /^["']/.test(path)) {
    return `must have no white space or quotes around its path: ${forms}`;
  }
  if (/^\/\/(?!\/)/.test(path)) return `must not have two slashes before its path: ${forms}`;
  if (path.startsWith('file:')) return `must have a path and no file: in it: ${forms}`;
  if (path === ':memory:') return 'must be memory: for a store in memory';
  const unexpanded = unexpandedIn(path);
  if (unexpanded !== null) return `${unexpanded}: ${forms}`;
  if (/%[0-9A-Fa-f]{2}/.test(path))
    return `must have the characters of its path themselves, not percent-encoded: ${forms}`;
  return path.includes('?') ? `must have no parameters, because stores on SQLite have none: ${forms}` : null;
}
