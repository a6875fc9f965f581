import { licenseKeyIdentity } from './license-key.ts';

/** Limits the memory of a large import: with random keys, each has a prefix of its own. */
const maxPrefixes = 100_000;

/** Counts the keys of an import that could be guessed from another one: those with the same prefix and then digits. */
export class GuessableKeys {
  /** The number of keys with each prefix. */
  readonly #prefixes = new Map<string, number>();
  #count = 0;

  /** The count so far. Beyond the limit of prefixes, keys with new prefixes are not counted. */
  get count(): number {
    return this.#count;
  }

  add(key: string): void {
    const identity = licenseKeyIdentity(key);
    const prefix = identity.replace(/\d+$/, '');
    if (prefix === identity) return;
    const before = this.#prefixes.get(prefix) ?? 0;
    if (before === 0 && this.#prefixes.size >= maxPrefixes) return;
    this.#prefixes.set(prefix, before + 1);
    // The second key of a prefix makes the first one guessable, too.
    if (before > 0) this.#count += before === 1 ? 2 : 1;
  }
}
