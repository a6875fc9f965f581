import { hostPattern } from './host-pattern.ts';

/** The allowed forms of a URL. */
export interface UrlForm {
  readonly schemes: readonly ('http' | 'https')[];
  readonly maxLength: number;
  readonly hasFragment: boolean;
}

const wholeHost = new RegExp(`^${hostPattern}$`);
const hostAlone = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,252}$/;

/**
 * Finds the requirement that a text breaks as a URL of ASCII characters with a host: "must be …", without repeating the
 * text. Null if it breaks none.
 */
export function brokenUrl(text: string, { schemes, maxLength, hasFragment }: UrlForm): string | null {
  const beginning = schemes.map((scheme) => `${scheme}://`).join(' or ');
  const [, scheme = '', authority = '', rest = ''] = /^([A-Za-z][A-Za-z0-9+.-]*):\/\/([^/?#]*)(.*)$/s.exec(text) ?? [];
  if (text === '') return null;
  if (/[\s\p{Cc}]/u.test(text)) return 'must have no white space';
  if (!schemes.some((each) => each === scheme.toLowerCase())) return `must begin with ${beginning}`;
  if (!schemes.some((each) => each === scheme)) return `must begin with ${beginning}, in lower case`;
  const host = brokenHost(authority);
  if (host !== null) return host;
  if (!hasFragment && rest.includes('#')) return 'must have no fragment, which begins with #';
  if (/[^!-~]/.test(rest)) return 'must be of ASCII characters: percent-encode the others, such as ü as %C3%BC';
  return text.length > maxLength ? `must have at most ${maxLength} characters` : null;
}

function brokenHost(authority: string): string | null {
  if (authority.includes('@')) return 'must have no user name or password';
  if (/^\[|:.*:/.test(authority)) return 'must name a host or an IPv4 address: give an IPv6 address a name';
  if (/[^!-~]/.test(authority)) {
    return 'must have a host of ASCII characters: write an international name in Punycode, such as xn--bcher-kva.example';
  }
  if (wholeHost.test(authority)) return null;
  const [name = ''] = authority.split(':');
  return hostAlone.test(name)
    ? 'must have a port of at most 65535 behind the colon'
    : 'must name a host, of letters, digits, ".", "-" and "_"';
}
