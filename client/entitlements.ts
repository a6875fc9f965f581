import type { Entitlement } from './models.ts';
import type { CallOptions } from './request.ts';
import { dataOf, type Transport } from './transport.ts';

export interface ChangeOptions extends CallOptions {
  /**
   * Identifies the intention: repeated calls with one key take effect once. Default: a new key for each call, kept over
   * its retries.
   */
  readonly idempotencyKey?: string | undefined;
}

export interface LinkOptions extends CallOptions {
  /** The time that it works, such as `30m`: `5m` to `24h`. Default: `1h`. */
  readonly expires?: string | undefined;
  /** Where the page leads back to. Default: nowhere. */
  readonly returnUrl?: string | undefined;
}

/** A link for the buyer of an entitlement. */
export interface CreatedLink {
  /** A secret, which is shown only this once. */
  readonly url: string;
  readonly expiresAt: string;
}

/** Reads, cancels and resumes entitlements of the app key's product. For servers only: app keys are secrets. */
export class Entitlements {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  async get(id: string, options: CallOptions = {}): Promise<Entitlement> {
    const request = { ...options, method: 'GET', path: pathOf(id), needsKey: true } as const;
    return (await dataOf(this.#transport, request)) as unknown as Entitlement;
  }

  /** Schedules the cancellation at the end of the period, until when the buyer keeps access. */
  cancel(id: string, options: ChangeOptions = {}): Promise<Entitlement> {
    return this.#change(`${pathOf(id)}/cancel`, options);
  }

  /** Undoes a scheduled cancellation. */
  resume(id: string, options: ChangeOptions = {}): Promise<Entitlement> {
    return this.#change(`${pathOf(id)}/resume`, options);
  }

  /**
   * Makes a link for the buyer: it opens the page of the entitlement, where the buyer can cancel, resume and replace the
   * key. Each call makes another.
   */
  async createLink(id: string, { expires, returnUrl, ...options }: LinkOptions = {}): Promise<CreatedLink> {
    const request = { ...options, method: 'POST', path: `${pathOf(id)}/links`, needsKey: true } as const;
    return (await dataOf(this.#transport, { ...request, body: { expires, returnUrl } })) as unknown as CreatedLink;
  }

  /** Ends every link of the entitlement. */
  async endLinks(id: string, options: CallOptions = {}): Promise<void> {
    await dataOf(this.#transport, { ...options, method: 'DELETE', path: `${pathOf(id)}/links`, needsKey: true });
  }

  async #change(
    path: string,
    { idempotencyKey = crypto.randomUUID(), ...options }: ChangeOptions,
  ): Promise<Entitlement> {
    const request = { ...options, method: 'POST', path, needsKey: true, idempotencyKey } as const;
    return (await dataOf(this.#transport, request)) as unknown as Entitlement;
  }
}

function pathOf(id: string): string {
  return `/api/app-entitlements/${encodeURIComponent(id)}`;
}
