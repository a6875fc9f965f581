import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** An answer that the proxy gives by itself. */
export interface OwnAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/**
 * The fate of one request: it never arrives, it is carried out and its answer is lost, half of its answer arrives,
 * nobody answers it, or the proxy answers.
 */
export type Fault = 'cut before' | 'cut after' | 'half a body' | 'silence' | OwnAnswer;

/** A request that the proxy has seen. */
interface SeenRequest {
  readonly line: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  /** Milliseconds of a clock that never jumps. */
  readonly at: number;
}

/** A proxy that fails the first requests in the given ways, and passes all further ones on. */
export class FaultyProxy {
  readonly seen: SeenRequest[] = [];
  readonly #faults: Fault[];
  readonly #target: string;
  readonly #server: Server;

  private constructor(target: string, faults: readonly Fault[]) {
    this.#target = target;
    this.#faults = [...faults];
    this.#server = createServer((incoming, outgoing) => void this.#handle(incoming, outgoing));
  }

  /** `target` is the URL of a service; a proxy that answers everything by itself needs none. */
  static async start(faults: readonly Fault[], target = ''): Promise<FaultyProxy> {
    const proxy = new FaultyProxy(target, faults);
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, 'close');
  }

  async #handle(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const content = await buffer(incoming);
    const line = `${incoming.method} ${incoming.url}`;
    this.seen.push({ line, headers: incoming.headers, body: content.toString(), at: performance.now() });
    const fault = this.#faults.shift();
    if (fault === 'cut before') return void incoming.socket.destroy();
    if (fault === 'silence') return;
    if (typeof fault === 'object') return void outgoing.writeHead(fault.status, fault.headers).end(fault.body);
    const answer = await forward(this.#target, incoming, content);
    if (fault === 'cut after') return void incoming.socket.destroy();
    outgoing.writeHead(answer.status, answer.headers);
    if (fault === undefined) return void outgoing.end(answer.body);
    outgoing.write(answer.body.subarray(0, answer.body.length / 2), () => incoming.socket.destroy());
  }
}

interface Forwarded {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

function forward(target: string, incoming: IncomingMessage, content: Buffer): Promise<Forwarded> {
  const { method, headers } = incoming;
  return new Promise((resolve, reject) => {
    const outgoing = request(new URL(incoming.url ?? '', target), { method, headers, agent: false }, (response) => {
      buffer(response).then(
        (body) => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }),
        reject,
      );
    });
    outgoing.on('error', reject);
    outgoing.end(content);
  });
}
