import { licenseKeyIdentity } from './license-key.ts';

/** Prefixes remembered: with random keys each has one of its own, and a large import must not fill the memory. */
const maxPrefixes = 100_000;

/** Counts, over the keys of an import, those that could be guessed from another one: the same prefix and digits. */
export class GuessableKeys {
  /** How many keys had the prefix. */
  readonly #prefixes = new Map<string, number>();
  #count = 0;

  /** Of those noted so far; of many random keys, the later ones may be left out. */
  get count(): number {
    return this.#count;
  }

  note(key: string): void {
    const identity = licenseKeyIdentity(key);
    const prefix = identity.replace(/\d+$/, '');
    if (prefix === identity) return;
    const before = this.#prefixes.get(prefix) ?? 0;
    if (before === 0 && this.#prefixes.size >= maxPrefixes) return;
    this.#prefixes.set(prefix, before + 1);
    // The second key of a prefix gives away the first one too.
    if (before > 0) this.#count += before === 1 ? 2 : 1;
  }
}
