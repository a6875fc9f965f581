import { originForm } from '../exchange/conformance.ts';

const maxLength = 64;
/** More than is shown, so that a secret that begins within the first 64 characters is recognized. */
const maxScanned = 256;

/** The forms of app keys, operator keys, license keys and e-mail addresses. */
const secret = /svc_(?:sk|op)_|@|%40|^lk-?[0-9a-z]{5}/i;

/**
 * The first 64 characters of an unknown path for the log, without its query. Characters other than those of a URI are escaped,
 * so that a path cannot write to a terminal, and segments that look like a secret are hidden.
 */
export function loggedPath(target: string): string {
  const [path = ''] = originForm(target.slice(0, maxScanned)).split('?', 1);
  const segments = path.split('/').map((segment) => (secret.test(segment) ? '***' : segment));
  return segments
    .join('/')
    .slice(0, maxLength)
    .replaceAll(/[^!$&-;=?-Z_a-z~%]/g, escaped);
}

function escaped(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
}
