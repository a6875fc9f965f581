/** The memory that unfinished bodies of a process may hold together, so that clients cannot fill it. */
export class BodyBudget {
  #left: number;

  /** Bytes that nothing holds. */
  get left(): number {
    return this.#left;
  }

  /** `limit` is in bytes. */
  constructor(limit: number) {
    this.#left = limit;
  }

  /** Takes bytes, if so many are left. */
  take(bytes: number): boolean {
    if (bytes > this.#left) return false;
    this.#left -= bytes;
    return true;
  }

  give(bytes: number): void {
    this.#left += bytes;
  }
}
