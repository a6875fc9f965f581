import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import proxyAddr from 'proxy-addr';

/** A client can make `X-Forwarded-For` as long as it likes, and each of its addresses is compared with those of proxies. */
const maxProxies = 32;

const ipv6WithPort = /^\[([^\]]*)\](?::\d+)?$/;
const ipv4WithPort = /^([\d.]+):\d+$/;

/**
 * Makes the function that finds a client's address, behind the proxies whose `X-Forwarded-For` is trusted: its IPv4 address,
 * or the first 64 bits of its IPv6 address, which belong to one customer. What cannot be read as an address stands for the
 * proxy that reported it.
 */
export function clientAddressBehind(trustedProxies: readonly string[]): (request: IncomingMessage) => string {
  const isTrusted = proxyAddr.compile([...trustedProxies]);
  const trust = (address: string, hop: number): boolean => hop < maxProxies && isTrusted(withoutPort(address), hop);
  return (request) => {
    const fromConnection = proxyAddr.all(request, trust).map(withoutPort);
    return subjectOf(fromConnection.findLast((address) => isIP(address) !== 0) ?? '');
  };
}

/** Some load balancers write `192.0.2.1:4711` and `[2001:db8::1]:4711`. */
function withoutPort(address = ''): string {
  return (ipv6WithPort.exec(address) ?? ipv4WithPort.exec(address))?.[1] ?? address;
}

function subjectOf(address: string): string {
  if (address === '') return address; // the connection was reset
  const parsed = ipaddr.process(address);
  return parsed instanceof ipaddr.IPv6 ? parsed.parts.slice(0, 4).join(':') : parsed.toString();
}
