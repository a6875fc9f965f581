import proxyAddr from 'proxy-addr';

/**
 * Makes the function that says whether an address is that of a trusted proxy. `proxies` are addresses, ranges, or
 * `loopback`, `linklocal` and `uniquelocal`.
 */
export function trustedAddresses(proxies: readonly string[]): (address: string) => boolean {
  const isTrusted = proxyAddr.compile([...proxies]);
  return (address) => isTrusted(address, 0);
}
