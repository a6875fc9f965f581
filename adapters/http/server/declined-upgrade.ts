import type { IncomingMessage } from 'node:http';
import { hasBody } from '../exchange/body.ts';

/**
 * Node's parser skips everything behind an upgrade request in the same packet, although the upgrade is declined. So the
 * service takes such a request over before it is parsed further, and parses it again without its `Upgrade` field (RFC 9110
 * §7.8). Later versions of Node than 24 parse the content of the request first: those requests are left to Node.
 */
export function canParseAgain(request: IncomingMessage): boolean {
  return !hasBody(request) || process.versions.node.startsWith('24.');
}

/** Whether Node has declined an upgrade by itself, and so may have skipped what came behind the request. */
export function mayHaveSkipped({ headers: { upgrade, connection = '' } }: IncomingMessage): boolean {
  return upgrade !== undefined && /\bupgrade\b/i.test(connection);
}

/** The header section of a request without its `Upgrade` field, as it would have been sent. Latin-1. */
export function withoutUpgrade({ method, url, httpVersion, rawHeaders }: IncomingMessage): Buffer {
  const lines = [`${method ?? ''} ${url ?? ''} HTTP/${httpVersion}`];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    if (name.toLowerCase() !== 'upgrade') lines.push(`${name}: ${rawHeaders[index + 1] ?? ''}`);
  }
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
}
