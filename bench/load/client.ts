import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

const endOfHead = '\r\n\r\n';

/**
 * A client on one kept-alive connection, which it replaces after the server has announced its end. It knows just enough
 * of HTTP/1.1 for answers with a Content-Length, so that it costs less than what it measures.
 */
export class Client {
  readonly #port: number;
  readonly #statusLine: string;
  #socket: Socket | null = null;
  #received = '';
  #answer: PromiseWithResolvers<string> | null = null;

  private constructor(port: number, status: number) {
    this.#port = port;
    this.#statusLine = `HTTP/1.1 ${status} `;
  }

  /** Connects a client that expects this status of every answer. */
  static async open(port: number, status: number): Promise<Client> {
    const client = new Client(port, status);
    await client.#connect();
    return client;
  }

  /** Sends a request, and resolves to the content of its answer. Rejects for an answer of another status. */
  async send(request: string): Promise<string> {
    const socket = this.#socket ?? (await this.#connect());
    const answer = Promise.withResolvers<string>();
    this.#answer = answer;
    socket.write(request, 'latin1');
    return answer.promise;
  }

  close(): void {
    this.#socket?.removeAllListeners('close').destroy();
    this.#socket = null;
    this.#received = '';
  }

  async #connect(): Promise<Socket> {
    const socket = connect({ port: this.#port, host: '127.0.0.1', noDelay: true }).setEncoding('latin1');
    await once(socket, 'connect');
    socket.on('data', (chunk: string) => this.#take(chunk));
    socket.on('error', () => {}); // its end follows
    socket.on('close', () => {
      this.close();
      this.#answer?.reject(new Error('the server closed a connection'));
    });
    this.#socket = socket;
    return socket;
  }

  #take(chunk: string): void {
    this.#received += chunk;
    const content = contentOf(this.#received);
    if (content === null) return;
    const received = this.#received;
    this.#received = '';
    if (received.includes('\r\nConnection: close\r\n')) this.close();
    if (received.startsWith(this.#statusLine)) this.#answer?.resolve(content);
    else this.#answer?.reject(new Error(`unexpected answer: ${received}`));
  }
}

/** The content of an answer, or null if the answer is not whole. */
function contentOf(received: string): string | null {
  const end = received.indexOf(endOfHead);
  if (end === -1) return null;
  const length = /\r\ncontent-length: (\d+)\r\n/i.exec(received)?.[1];
  if (length === undefined) throw new Error('an answer has no Content-Length');
  const start = end + endOfHead.length;
  return received.length < start + Number(length) ? null : received.slice(start);
}
