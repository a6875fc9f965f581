/** The URL under which clients reach a port: the configured one, otherwise the address that the port listens on. */
export class BaseUrl {
  #url: string | null;

  constructor(configured: string | null) {
    this.#url = configured;
  }

  /** Sets the address that the port listens on. Without effect where a URL is configured. */
  listensOn(address: string): void {
    this.#url ??= address;
  }

  /** Throws before the port listens. */
  get value(): string {
    if (this.#url === null) throw new Error('the port does not listen yet');
    return this.#url;
  }
}
