import { clientOf } from '../exchange/client-address.ts';

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
