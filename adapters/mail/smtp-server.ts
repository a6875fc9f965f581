import { isLoopbackHost } from '../../core/parsing/host-pattern.ts';

/** A server that takes mail. */
export interface SmtpServer {
  readonly host: string;
  readonly port: number;
  /** `tls` from the first byte, `starttls` before anything is said, or `plain` on this machine, with STARTTLS if it is offered. */
  readonly security: 'tls' | 'starttls' | 'plain';
  /** Null for a server that asks for none. */
  readonly credentials: { readonly user: string; readonly password: string } | null;
}

const standardPorts = { 'smtps:': 465, 'smtp:': 587 } as const;

/** Reads `smtps://USER:PASSWORD@HOST:PORT` or `smtp://…`; null for any other text. */
export function readSmtpUrl(text: string): SmtpServer | null {
  const url = URL.parse(text);
  if (url === null || /\s/.test(text)) return null;
  const { protocol, username, password, pathname, search, hash } = url;
  if (protocol !== 'smtps:' && protocol !== 'smtp:') return null;
  const host = url.hostname.replaceAll(/^\[|\]$/g, '').toLowerCase();
  if (!/^[a-z0-9.:-]+$/.test(host) || !/^\/?$/.test(pathname) || search !== '' || hash !== '') return null;
  const credentials = credentialsOf(username, password);
  if (credentials === undefined || url.port === '0') return null;
  const port = url.port === '' ? standardPorts[protocol] : Number(url.port);
  const isLocal = isLoopbackHost(url.hostname.toLowerCase());
  const security = protocol === 'smtps:' ? 'tls' : isLocal ? 'plain' : 'starttls';
  return { host, port, security, credentials };
}

/** Null without both parts, undefined with one alone, or where they are not encoded as in a URL. */
function credentialsOf(username: string, password: string): SmtpServer['credentials'] | undefined {
  if (username === '' && password === '') return null;
  const [user, secret] = [decoded(username), decoded(password)];
  return user === '' || secret === '' ? undefined : { user, password: secret };
}

/** The empty text for one that cannot be decoded, or has control characters. */
function decoded(part: string): string {
  try {
    const text = decodeURIComponent(part);
    return /\p{Cc}/u.test(text) ? '' : text;
  } catch {
    return '';
  }
}
