import type { IncomingMessage } from 'node:http';
import { isLoopbackHost } from '../../../core/parsing/host-pattern.ts';

/** The connection of a browser to a port whose pages have sessions, which decides the form of the cookie. */
export type Connection =
  /** A trusted proxy says that it was reached by TLS. */
  | { readonly kind: 'https'; readonly origin: string }
  /** By plain HTTP on a loopback address, over which nobody listens, and by a browser that takes it for one. */
  | { readonly kind: 'loopback'; readonly origin: string; readonly port: string }
  /** By plain HTTP over a network, as far as anyone can tell. */
  | { readonly kind: 'insecure' };

export type ConnectionOf = (request: Pick<IncomingMessage, 'headers' | 'socket'>) => Connection;

/** Reads how requests arrive. `isTrusted` says whether an address is that of a proxy whose `X-Forwarded-Proto` is trusted. */
export function connectionsBehind(isTrusted: (address: string) => boolean): ConnectionOf {
  return ({ headers, socket }) => {
    const host = (headers.host ?? '').toLowerCase();
    if (!isForwarded(headers)) {
      const isLocal =
        saysFrom(headers) &&
        isLoopback(`http://${host}`) &&
        (headers.origin === undefined || isLoopback(headers.origin));
      const port = /:(\d+)$/.exec(host)?.[1] ?? '80';
      return isLocal ? { kind: 'loopback', origin: `http://${host}`, port } : { kind: 'insecure' };
    }
    const [scheme] = String(headers['x-forwarded-proto'] ?? '').split(',', 1);
    const isSecure = scheme?.trim().toLowerCase() === 'https' && isTrusted(socket.remoteAddress ?? '');
    return isSecure ? { kind: 'https', origin: `https://${host}` } : { kind: 'insecure' };
  };
}

/**
 * Whether a browser says where a request comes from. Browsers say so on loopback and by TLS. One that does not has used plain
 * HTTP over a network, and a proxy in between names a loopback address in `Host` without a field that it has forwarded.
 */
function saysFrom(headers: IncomingMessage['headers']): boolean {
  return headers['sec-fetch-site'] !== undefined;
}

const forwarding = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip'];

function isForwarded(headers: IncomingMessage['headers']): boolean {
  return forwarding.some((name) => headers[name] !== undefined);
}

/** Whether an origin names 127.0.0.0/8, ::1 or `localhost`. URLs write every spelling of an address alike. */
function isLoopback(origin: string): boolean {
  const url = URL.parse(origin);
  return url !== null && url.protocol === 'http:' && isLoopbackHost(url.hostname);
}

/**
 * Whether a form was sent by a page of this port. Browsers say so in `Sec-Fetch-Site`, where the address is one that they
 * trust, and otherwise in `Origin`. Another port is another origin.
 */
export function isOwnForm({ headers }: Pick<IncomingMessage, 'headers'>, connection: Connection): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  if (headers.origin === undefined) return false;
  const own = connection.kind === 'insecure' ? `http://${headers.host ?? ''}` : connection.origin;
  return headers.origin.toLowerCase() === URL.parse(own)?.origin;
}
