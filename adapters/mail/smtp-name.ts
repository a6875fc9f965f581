import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';

/**
 * Chooses the name by which a mail server is greeted: the host of a URL, or else the domain of an address. Strict servers refuse
 * names that are no domains, and addresses of loopback (RFC 5321 §4.1.4). Null if neither has one.
 */
export function greetingName(url: string, address: string): string | null {
  const hosts = [URL.parse(url)?.hostname ?? '', address.slice(address.lastIndexOf('@') + 1)];
  return hosts.map((host) => domainToASCII(host).replace(/\.$/, '')).find(isDomain) ?? null;
}

const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
const domain = new RegExp(`^(?:${label}\\.)+${label}$`);

function isDomain(host: string): boolean {
  return host.length <= 253 && domain.test(host) && isIP(host) === 0 && !/(?:^|\.)localhost$/.test(host);
}
