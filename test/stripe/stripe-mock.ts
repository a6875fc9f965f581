import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { Stripe } from 'stripe';
import type { SeenRequest } from '../../testing/index.ts';
import { eventually } from '../support/eventually.ts';
import { freePorts } from '../support/free-ports.ts';

/** Stripe's own mock, in a process of its own. */
export class StripeMock {
  readonly #process: ChildProcess;
  readonly #url: string;

  private constructor(process: ChildProcess, url: string) {
    this.#process = process;
    this.#url = url;
  }

  static async start(program: string): Promise<StripeMock> {
    const [port = 0, unused = 0] = await freePorts(2);
    // It serves HTTPS as well, on a port that is the same in every process unless it is named.
    const addresses = ['-http-addr', `127.0.0.1:${port}`, '-https-addr', `127.0.0.1:${unused}`];
    const child = spawn(program, addresses, { stdio: ['ignore', 'ignore', 'inherit'] });
    const mock = new StripeMock(child, `http://127.0.0.1:${port}`);
    const isUp = await eventually(
      () =>
        fetch(mock.#url).then(
          () => true,
          () => false,
        ),
      (up) => up || child.exitCode !== null,
    );
    if (!isUp) throw new Error('stripe-mock did not start');
    return mock;
  }

  /** Sends a request that the fake has had. */
  async answer({ method, path, parameters }: SeenRequest): Promise<{ readonly status: number; readonly body: string }> {
    const query = method === 'GET' && parameters !== '' ? `?${parameters}` : '';
    const answer = await fetch(`${this.#url}${path}${query}`, {
      method,
      headers: {
        Authorization: 'Bearer sk_test_123',
        'Stripe-Version': Stripe.API_VERSION,
        ...(method === 'GET' ? {} : { 'Content-Type': 'application/x-www-form-urlencoded' }),
      },
      ...(method === 'GET' ? {} : { body: parameters }),
    });
    return { status: answer.status, body: await answer.text() };
  }

  async stop(): Promise<void> {
    const ended = once(this.#process, 'exit');
    this.#process.kill();
    await ended;
  }
}
