import { connect, type Socket } from 'node:net';

/** A response as it was received. */
export interface RawResponse {
  readonly status: number;
  /** Names in lower case; the values of several lines in their order. */
  readonly headers: Readonly<Record<string, readonly string[] | undefined>>;
  readonly body: string;
}

/** A client that sends any bytes, well-formed or not. */
export class RawClient {
  readonly socket: Socket;
  /**
   * The bytes that were received and not read yet. They are joined when they are read: joining them for each piece
   * would take seconds for long answers.
   */
  #pieces: Buffer[] = [];
  #length = 0;
  /** The minimum number of bytes of the next response. */
  #needed = 0;
  #wake = (): void => {};

  /** `localAddress` is the address from which it connects. */
  constructor(url: string, localAddress?: string) {
    const { hostname, port } = new URL(url);
    const to = { host: hostname, port: Number(port), allowHalfOpen: true, noDelay: true };
    this.socket = connect(localAddress === undefined ? to : { ...to, localAddress });
    this.socket.on('data', (bytes) => {
      this.#pieces.push(bytes);
      this.#length += bytes.length;
      this.#wake();
    });
    this.socket.on('end', () => this.#wake());
    this.socket.on('close', () => this.#wake());
    this.socket.on('error', () => this.socket.destroy());
  }

  get ended(): boolean {
    return this.socket.readableEnded || this.socket.destroyed;
  }

  /** The bytes that have been received and not yet read as a response. */
  get rest(): string {
    return this.#received().toString('latin1');
  }

  send(bytes: string | Buffer): void {
    this.socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes);
  }

  /** Reads the next final response, to a request of `method`. Throws if the connection ends first. Skips interim responses. */
  async read(method: string, timeout = 300_000): Promise<RawResponse> {
    const end = performance.now() + timeout;
    for (;;) {
      const response = this.#take(method);
      if (response !== null && response.status >= 200) return response;
      if (response !== null) continue;
      if (this.ended) throw new Error('the connection ended without an answer');
      const left = end - performance.now();
      if (left <= 0) throw new Error('no answer in time');
      await this.#nextEvent(left);
    }
  }

  /** Waits for the other side to close. Returns false if it does not in time. */
  async closed(timeout = 300_000): Promise<boolean> {
    const end = performance.now() + timeout;
    while (!this.ended && performance.now() < end) await this.#nextEvent(end - performance.now());
    return this.ended;
  }

  close(): void {
    this.socket.destroy();
  }

  #nextEvent(timeout: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, timeout);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  #received(): Buffer {
    const [first, ...others] = this.#pieces;
    if (first === undefined) return Buffer.alloc(0);
    const joined = others.length === 0 ? first : Buffer.concat(this.#pieces);
    this.#pieces = [joined];
    return joined;
  }

  #take(method: string): RawResponse | null {
    if (this.#length < this.#needed) return null;
    const received = this.#received();
    const headEnd = received.indexOf('\r\n\r\n');
    if (headEnd === -1) return null;
    const [statusLine = '', ...lines] = received.toString('latin1', 0, headEnd).split('\r\n');
    const match = /^HTTP\/1\.1 (\d{3}) /.exec(statusLine);
    if (match === null) throw new Error('received no HTTP response');
    const status = Number(match[1]);
    const headers = headersOf(lines);
    const bodiless = status < 200 || status === 204 || status === 304 || method === 'HEAD';
    const length = bodiless ? 0 : Number(headers['content-length']?.[0]);
    if (Number.isNaN(length)) throw new Error('a response without Content-Length');
    const start = headEnd + 4;
    this.#needed = start + length;
    if (received.length < this.#needed) return null;
    const body = received.toString('utf8', start, this.#needed);
    this.#pieces = [received.subarray(this.#needed)];
    this.#length -= this.#needed;
    this.#needed = 0;
    return { status, headers, body };
  }
}

function headersOf(lines: readonly string[]): RawResponse['headers'] {
  const headers: Record<string, string[]> = {};
  for (const line of lines) {
    const colon = line.indexOf(':');
    (headers[line.slice(0, colon).toLowerCase()] ??= []).push(line.slice(colon + 1).trim());
  }
  return headers;
}
