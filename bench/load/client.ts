import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

const endOfHead = '\r\n\r\n';

/**
 * A client on one kept-alive connection, which it replaces when the server announces its end. It knows just enough of
 * HTTP/1.1 for answers with a Content-Length, so that it costs less than what it measures.
 */
export class Client {
  /** Of the last answer. */
  content = '';
  readonly #port: number;
  readonly #status: number;
  readonly #statusLine: string;
  #socket: Socket;
  #received = '';
  #sentAt = 0;

  private constructor(port: number, status: number, socket: Socket) {
    this.#port = port;
    this.#status = status;
    this.#statusLine = `HTTP/1.1 ${status} `;
    this.#socket = socket;
  }

  /** Connects a client that expects this status of every answer. */
  static async open(port: number, status: number): Promise<Client> {
    return new Client(port, status, await connected(port));
  }

  /**
   * Sends a request and then, after each answer, what `next` makes of its latency in milliseconds, until that is null.
   * Once it resolves, it may be called again. Rejects for an answer of another status.
   */
  run(first: string, next: (latency: number) => string | null): Promise<void> {
    return new Promise((resolve, reject) => {
      const onData = (chunk: string): void => {
        this.#received += chunk;
        if (!this.#isWhole()) return;
        if (!this.#received.startsWith(this.#statusLine)) reject(new Error(`unexpected answer: ${this.#received}`));
        const closes = this.#received.includes('\r\nConnection: close\r\n');
        this.#received = '';
        const request = next(performance.now() - this.#sentAt);
        if (request !== null && !closes) this.#send(request);
        else goOn(request, closes).catch(reject);
      };
      const listen = (): void => {
        this.#socket.on('error', reject).on('close', () => reject(new Error('the server closed a connection')));
        this.#socket.on('data', onData);
      };
      const goOn = async (request: string | null, closes: boolean): Promise<void> => {
        for (const event of ['error', 'close', 'data']) this.#socket.removeAllListeners(event);
        if (closes) {
          this.close();
          this.#socket = await connected(this.#port);
        }
        if (request === null) return resolve();
        listen();
        this.#send(request);
      };
      listen();
      this.#send(first);
    });
  }

  /** Closes this client, and opens one like it. */
  replacement(): Promise<Client> {
    this.close();
    return Client.open(this.#port, this.#status);
  }

  close(): void {
    this.#socket.removeAllListeners('close').destroy();
  }

  #send(request: string): void {
    this.#sentAt = performance.now();
    this.#socket.write(request, 'latin1');
  }

  #isWhole(): boolean {
    const end = this.#received.indexOf(endOfHead);
    if (end === -1) return false;
    const length = /\r\ncontent-length: (\d+)\r\n/i.exec(this.#received)?.[1];
    if (length === undefined) throw new Error('an answer has no Content-Length');
    const start = end + endOfHead.length;
    if (this.#received.length < start + Number(length)) return false;
    this.content = this.#received.slice(start);
    return true;
  }
}

async function connected(port: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  await once(socket, 'connect');
  return socket.setEncoding('latin1');
}
