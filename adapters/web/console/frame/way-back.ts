import type { PageView } from '../display/view.ts';
import type { ConsoleRoute } from './console-page.ts';
import { idIn } from './id-segment.ts';

/** The page that a refused request was for. */
export interface AskedPage {
  /** Its path with names in place of ids: `/console/entitlements/:id/revoke`. */
  readonly pattern: string;
  readonly path: string;
}

/** A page that a refusal leads back to. */
export interface WayBack {
  readonly href: string;
  readonly name: string;
}

/** The change that was asked for, by the last part of its path: "Revoke", "Change tier". Null for any other page. */
export function askedFor({ pattern }: AskedPage): string | null {
  const last = pattern.slice(pattern.lastIndexOf('/') + 1).replaceAll('-', ' ');
  return /^[a-z ]+$/.test(last) ? last.charAt(0).toUpperCase() + last.slice(1) : null;
}

/** The nearest page above one that this operator may see; null if that is only the overview. */
export function wayBack({ path }: AskedPage, routes: readonly ConsoleRoute[], { may }: PageView): WayBack | null {
  const parts = path.split('/').slice(2);
  for (let length = parts.length - 1; length > 0; length -= 1) {
    const above = parts.slice(0, length);
    const href = ['/console', ...above].join('/');
    const page = routes.find(({ method, path: pattern }) => method === 'GET' && isMatch(pattern, href));
    if (page !== undefined && (page.access === null || may(page.access))) {
      return { href, name: idIn(decodeURIComponent(above.at(-1) ?? '')) };
    }
  }
  return null;
}

function isMatch(pattern: string, path: string): boolean {
  const [wanted, given] = [pattern.split('/'), path.split('/')];
  return wanted.length === given.length && wanted.every((part, index) => part.startsWith(':') || part === given[index]);
}
