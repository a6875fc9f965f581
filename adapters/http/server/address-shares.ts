import { isIPv6 } from 'node:net';

/** The part of all connections that one address may have. */
const share = 1 / 4;

/** Counts the open connections of each address, so that one that opens many leaves room for others. */
export class AddressShares {
  readonly #max: number;
  readonly #isProxy: (address: string) => boolean;
  readonly #open = new Map<string, number>();

  /** `isProxy` tells the addresses that bring the connections of many clients, and have no share. */
  constructor(maxConnections: number, isProxy: (address: string) => boolean) {
    this.#max = Math.ceil(maxConnections * share);
    this.#isProxy = isProxy;
  }

  /** Counts a connection until the returned function is called. Null if its address has its share. */
  take(address: string): (() => void) | null {
    const client = clientOf(address);
    const open = this.#open.get(client) ?? 0;
    if (open >= this.#max && !this.#isProxy(address)) return null;
    this.#open.set(client, open + 1);
    return () => this.#give(client);
  }

  #give(client: string): void {
    const left = (this.#open.get(client) ?? 0) - 1;
    if (left > 0) this.#open.set(client, left);
    else this.#open.delete(client);
  }
}

const mapped = '::ffff:';

/** The first 64 bits of an IPv6 address belong to one customer. The system writes every address in one form only. */
function clientOf(address: string): string {
  if (address.startsWith(mapped)) return address.slice(mapped.length);
  if (!isIPv6(address)) return address;
  const [head = '', tail] = address.split('::');
  const [groups, rest] = [groupsOf(head), groupsOf(tail ?? '')];
  const zeros = Array.from({ length: 8 - groups.length - rest.length }, () => '0');
  return [...groups, ...(tail === undefined ? [] : zeros), ...rest].slice(0, 4).join(':');
}

function groupsOf(part: string): readonly string[] {
  return part === '' ? [] : part.split(':');
}
