import { brokenUrl } from './broken-url.ts';
import { hostPattern, loopbackPattern } from './host-pattern.ts';
import { textThat } from './value-rule.ts';

const maxUrlLength = 2048;

/** Without TLS only on this machine, where somebody tries the service, and no network lies between. */
const atHost = `(?:https://${hostPattern}|http://${loopbackPattern})(?:[/?#][!-~]*)?`;

/** One address, of the characters that need no encoding in a link. */
const oneAddress =
  'mailto:[A-Za-z0-9._+~!$*=/_-]{1,64}@[A-Za-z0-9]+(?:-+[A-Za-z0-9]+)*(?:\\.[A-Za-z0-9]+(?:-+[A-Za-z0-9]+)*)+';

/** The form of the URLs that pages show. The documents of the interface have it too. */
export const urlPattern = `^${atHost}$`;

/** The form of the links by which people get in touch. */
export const contactUrlPattern = `^(?:${atHost}|${oneAddress})$`;

/** The rule for the URLs that pages show. A link with a user name could pass for one to another host. */
export const urlRule = textThat(
  matching(urlPattern),
  'must be an https URL, or an http one of this machine, of at most 2,048 ASCII characters without user name',
  broken,
);

/** The rule for the links by which people get in touch. */
export const contactUrlRule = textThat(
  matching(contactUrlPattern),
  'must be an https URL, or an http one of this machine, of at most 2,048 ASCII characters without user name, or mailto: and one e-mail address',
  broken,
);

const beginning = new RegExp(`^(?:https://|http://${loopbackPattern}(?:[/?#]|$))`);

/** The part of a URL that is wrong. Null for one that begins otherwise, because the rules say how a link begins. */
function broken(text: string): string | null {
  const form = { schemes: ['https', 'http'], maxLength: maxUrlLength, hasFragment: true } as const;
  return beginning.test(text) ? brokenUrl(text, form) : null;
}

function matching(pattern: string): (text: string) => boolean {
  const form = new RegExp(pattern);
  return (text) => text.length <= maxUrlLength && form.test(text);
}
