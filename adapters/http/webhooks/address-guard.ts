import { lookup, type LookupAddress } from 'node:dns';
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent, type AgentOptions } from 'node:https';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { RequestFilteringHttpsAgent } from 'request-filtering-agent';

/** Resolves a name to all its addresses, as `dns.lookup` does. */
export type Resolve = (
  name: string,
  done: (error: NodeJS.ErrnoException | null, addresses: readonly LookupAddress[]) => void,
) => void;

/** Thrown for a target that deliveries must not reach. */
export class ForbiddenAddress extends Error {}

/** Thrown for a name of which no address was found. */
export class UnknownAddress extends Error {
  /** The code of the look-up, such as `ENOTFOUND`. */
  readonly code: string;

  constructor({ code = 'ENOTFOUND' }: NodeJS.ErrnoException) {
    super(`no address was found (${code})`);
    this.code = code;
  }
}

const agentOptions: AgentOptions = { keepAlive: true, keepAliveMsecs: 10_000, maxSockets: 32, scheduling: 'lifo' };

/**
 * Decides which addresses deliveries may reach: public ones over https, and those of the allowed networks over http and
 * https. Every address that a name leads to must be one of them. The look-up that is checked is the one whose address is
 * connected to, so that a name which answers differently the next time changes nothing.
 */
export class AddressGuard {
  readonly #allowed: BlockList;
  readonly #isOpen: boolean;
  readonly #resolve: Resolve;
  readonly #publicHttps: HttpsAgent;
  readonly #allowedHttps: HttpsAgent;
  readonly #allowedHttp: HttpAgent;

  /** `networks` are addresses and ranges, such as `10.0.0.0/8`. */
  constructor(networks: readonly string[], resolve: Resolve = resolveAll) {
    this.#allowed = blockListOf(networks);
    this.#isOpen = networks.length > 0;
    this.#resolve = resolve;
    const options = { ...agentOptions, lookup: this.#lookup((addresses) => this.#areAllowed(addresses)) };
    this.#publicHttps = new RequestFilteringHttpsAgent({ ...agentOptions, lookup: this.#lookup(() => true) });
    this.#allowedHttps = new HttpsAgent(options);
    this.#allowedHttp = new HttpAgent(options);
  }

  /**
   * Returns the agent to send a request with. A request that `isPublicOnly` reaches no allowed network. Throws
   * `ForbiddenAddress` if it is certain that none may.
   */
  async agentFor(url: URL, isPublicOnly = false): Promise<HttpAgent> {
    const isHttps = url.protocol === 'https:';
    if (!isPublicOnly && this.#isOpen && this.#areAllowed(await this.#addressesOf(url))) {
      return isHttps ? this.#allowedHttps : this.#allowedHttp;
    }
    if (!isHttps) throw new ForbiddenAddress();
    return this.#publicHttps;
  }

  /** Closes every connection. */
  close(): void {
    for (const agent of [this.#publicHttps, this.#allowedHttps, this.#allowedHttp]) agent.destroy();
  }

  async #addressesOf({ hostname }: URL): Promise<readonly LookupAddress[]> {
    const host = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
    const family = isIP(host);
    if (family !== 0) return [{ address: host, family }];
    const { promise, resolve, reject } = Promise.withResolvers<readonly LookupAddress[]>();
    this.#resolve(host, (error, addresses) =>
      error === null ? resolve(addresses) : reject(new UnknownAddress(error)),
    );
    return promise;
  }

  #areAllowed(addresses: readonly LookupAddress[]): boolean {
    return addresses.length > 0 && addresses.every(({ address, family }) => this.#isAllowed(address, family));
  }

  #isAllowed(address: string, family: number): boolean {
    return this.#allowed.check(address, family === 6 ? 'ipv6' : 'ipv4');
  }

  /** A look-up for connections, which fails unless the addresses are acceptable. */
  #lookup(areAcceptable: (addresses: readonly LookupAddress[]) => boolean): LookupFunction {
    return (name, { all = false }, done) => {
      this.#resolve(name, (error, addresses) => {
        const [first] = addresses;
        if (error !== null) done(new UnknownAddress(error), '', 0);
        else if (first === undefined || !areAcceptable(addresses)) done(new ForbiddenAddress(), '', 0);
        else if (all) done(null, [...addresses]);
        else done(null, first.address, first.family);
      });
    };
  }
}

const resolveAll: Resolve = (name, done) => {
  lookup(name, { all: true }, (error, addresses) => (error === null ? done(null, addresses) : done(error, [])));
};

function blockListOf(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address, bits] = network.includes('/') ? ipaddr.parseCIDR(network) : [ipaddr.parse(network), null];
    if (bits === null) list.addAddress(address.toString(), address.kind());
    else list.addSubnet(address.toString(), bits, address.kind());
  }
  return list;
}
