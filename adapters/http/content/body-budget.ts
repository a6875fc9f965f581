/** The part of it that one client may hold. */
const share = 1 / 4;

/** The memory that unfinished bodies of a process may hold together, so that clients cannot fill it. */
export class BodyBudget {
  readonly #share: number;
  #left: number;
  readonly #held = new Map<string, number>();

  /** `limit` is in bytes. */
  constructor(limit: number) {
    this.#share = limit * share;
    this.#left = limit;
  }

  /** Bytes that nothing holds. */
  get left(): number {
    return this.#left;
  }

  /** Reserves bytes if they are left, within the client's share. `null` has no share of its own. */
  take(bytes: number, client: string | null): boolean {
    const held = (client === null ? 0 : (this.#held.get(client) ?? 0)) + bytes;
    if (bytes > this.#left || held > this.#share) return false;
    this.#keep(client, held);
    this.#left -= bytes;
    return true;
  }

  give(bytes: number, client: string | null): void {
    this.#left += bytes;
    if (client !== null) this.#keep(client, (this.#held.get(client) ?? 0) - bytes);
  }

  #keep(client: string | null, held: number): void {
    if (client === null) return;
    if (held > 0) this.#held.set(client, held);
    else this.#held.delete(client);
  }
}
