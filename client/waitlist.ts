import type { WaitlistSignUp } from './models.ts';
import type { CallOptions } from './request.ts';
import { succeed, type Transport } from './transport.ts';

/** Adds people to the waitlist. */
export class Waitlist {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Joins; joining again with the same address changes nothing. Throws `InvalidRequestError` for a bad address. */
  async join(signUp: WaitlistSignUp, options: CallOptions = {}): Promise<void> {
    await succeed(this.#transport, { ...options, method: 'POST', path: '/api/waitlist', body: signUp });
  }
}
