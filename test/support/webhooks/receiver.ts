import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import type { WebhookRequest } from '../../../core/webhook/add-webhook.ts';
import type { TestDeliveries } from './deliveries.ts';

/** A delivery as it arrived. */
export interface Received {
  readonly id: string;
  readonly type: string;
  readonly timestamp: string;
  readonly data: Readonly<Record<string, unknown>>;
  /** The entitlement, if it is about one. */
  readonly entitlementId: string | undefined;
  readonly sequence: number | undefined;
  /** The number of signatures. */
  readonly signatures: number;
}

/** Answers a delivery. */
export type Answer = (response: ServerResponse, received: Received) => void | Promise<void>;

export const accept: Answer = (response) => void response.writeHead(204).end();

export function answerWith(status: number, headers: Readonly<Record<string, string>> = {}): Answer {
  return (response) => void response.writeHead(status, headers).end('no');
}

/**
 * A receiver on loopback, which verifies every delivery with the published package of Standard Webhooks. A signature that
 * is not good gets 400 and is counted.
 */
export class Receiver {
  /** The secrets that it verifies with; every one must be good. */
  secrets: readonly string[] = [];
  answer: Answer = accept;
  readonly received: Received[] = [];
  readonly accepted: Received[] = [];
  /** Why deliveries were not accepted as genuine. */
  readonly forged: string[] = [];
  /** The maximum of requests at the same time. */
  maxAtOnce = 0;
  #atOnce = 0;
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => {
      void this.#receive(request, response);
    });
  }

  static async start(port = 0): Promise<Receiver> {
    const receiver = new Receiver();
    receiver.#server.listen(port, '127.0.0.1');
    await once(receiver.#server, 'listening');
    return receiver;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/hooks`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.#atOnce += 1;
    this.maxAtOnce = Math.max(this.maxAtOnce, this.#atOnce);
    try {
      await this.#answer(request, response, await text(request));
    } finally {
      this.#atOnce -= 1;
    }
  }

  async #answer(request: IncomingMessage, response: ServerResponse, body: string): Promise<void> {
    const received = receivedOf(request, body);
    const problem = this.#problemOf(request, body);
    if (problem !== null) {
      this.forged.push(problem);
      response.writeHead(400).end();
      return;
    }
    this.received.push(received);
    await this.answer(response, received);
    if (response.statusCode >= 200 && response.statusCode < 300) this.accepted.push(received);
  }

  #problemOf({ headers }: IncomingMessage, body: string): string | null {
    if (headers['content-type'] !== 'application/json') return `content type ${headers['content-type']}`;
    try {
      for (const secret of this.secrets) new Webhook(secret).verify(body, plain(headers));
      return null;
    } catch (error) {
      return String(error);
    }
  }
}

function plain(headers: IncomingMessage['headers']): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}

function receivedOf({ headers }: IncomingMessage, body: string): Received {
  const { type, timestamp, data } = JSON.parse(body) as Pick<Received, 'type' | 'timestamp' | 'data'>;
  const entitlement = data['entitlement'] as { readonly id: string } | undefined;
  return {
    id: String(headers['webhook-id']),
    type,
    timestamp,
    data,
    entitlementId: entitlement?.id,
    sequence: data['sequence'] as number | undefined,
    signatures: String(headers['webhook-signature']).split(' ').length,
  };
}

/** Starts the receivers of two endpoints: of every event, and of the types that it names. */
export async function everyAndNamed(
  deliveries: TestDeliveries,
  types: NonNullable<WebhookRequest['types']>,
): Promise<readonly [every: Receiver, named: Receiver]> {
  const receivers = [await Receiver.start(), await Receiver.start()] as const;
  for (const [index, receiver] of receivers.entries()) {
    const request = { id: `whk_${index}`, types: index === 0 ? null : types };
    const { secret } = await deliveries.addWebhook(receiver.url, request);
    receiver.secrets = [secret ?? ''];
  }
  return receivers;
}
