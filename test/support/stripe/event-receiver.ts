import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Stripe } from 'stripe';

/** An endpoint on loopback that verifies with the library. */
export class EventReceiver {
  /** The verified events, in their order. */
  readonly events: Stripe.Event[] = [];
  /** The status that the next deliveries get. */
  status = 200;
  readonly #server: Server;

  private constructor(secret: string) {
    const { webhooks } = new Stripe('sk_test_none');
    this.#server = createServer((request, response) => {
      void text(request).then((body) => {
        this.events.push(webhooks.constructEvent(body, String(request.headers['stripe-signature']), secret));
        return response.writeHead(this.status).end();
      });
    });
  }

  static async start(secret: string): Promise<EventReceiver> {
    const receiver = new EventReceiver(secret);
    receiver.#server.listen(0, '127.0.0.1');
    await once(receiver.#server, 'listening');
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/hooks/stripe`;
  }

  get types(): readonly string[] {
    return this.events.map(({ type }) => type);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}
