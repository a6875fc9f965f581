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

/** Reads, cancels and resumes entitlements of the app key's product. For servers only: app keys are secrets. */
export class Entitlements {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  async get(id: string, options: CallOptions = {}): Promise<Entitlement> {
    const request = { ...options, method: 'GET', path: pathOf(id), needsKey: true } as const;
    return (await dataOf(this.#transport, request)) as Entitlement;
  }

  /** Schedules the cancellation at the end of the period, until when the buyer keeps access. */
  cancel(id: string, options: ChangeOptions = {}): Promise<Entitlement> {
    return this.#change(`${pathOf(id)}/cancel`, options);
  }

  /** Undoes a scheduled cancellation. */
  resume(id: string, options: ChangeOptions = {}): Promise<Entitlement> {
    return this.#change(`${pathOf(id)}/resume`, options);
  }

  async #change(
    path: string,
    { idempotencyKey = crypto.randomUUID(), ...options }: ChangeOptions,
  ): Promise<Entitlement> {
    const request = { ...options, method: 'POST', path, needsKey: true, idempotencyKey } as const;
    return (await dataOf(this.#transport, request)) as Entitlement;
  }
}

function pathOf(id: string): string {
  return `/api/app-entitlements/${encodeURIComponent(id)}`;
}
