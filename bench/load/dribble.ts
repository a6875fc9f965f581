import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** Milliseconds between two bytes of one client. */
const pace = 100;

/** Milliseconds between two turns. Some of the clients send in each: all at once would delay the measured client. */
const turn = 2;

const post = 'POST /api/licenses/verify HTTP/1.1\r\nHost: 127.0.0.1\r\n';
const halfHeader = `${post}X-Slow: `;
const halfBody = `${post}Content-Type: application/json\r\nContent-Length: 10000\r\n\r\n`;

/**
 * Clients that send a request byte by byte and never finish it: half of them the header section, half of them the
 * content. When the server closes a connection, another client takes its place.
 */
export class Dribble {
  readonly #port: number;
  readonly #sockets: Socket[];
  #next = 0;
  readonly #timer: NodeJS.Timeout;

  private constructor(port: number, clients: number) {
    this.#port = port;
    this.#sockets = Array.from({ length: clients }, (_, index) => this.#open(index));
    const each = Math.ceil((clients * turn) / pace);
    this.#timer = setInterval(() => {
      for (let count = 0; count < each; count += 1) this.#sendByte();
    }, turn);
  }

  /** Resolves when that many clients are connected. */
  static async begin(port: number, clients: number): Promise<Dribble> {
    const dribble = new Dribble(port, clients);
    await Promise.all(dribble.#sockets.map((socket) => once(socket, 'connect')));
    return dribble;
  }

  end(): void {
    clearInterval(this.#timer);
    for (const socket of this.#sockets) socket.removeAllListeners('close').destroy();
  }

  #open(index: number): Socket {
    const socket = connect({ port: this.#port, host: '127.0.0.1', noDelay: true });
    socket.setEncoding('latin1');
    socket.on('data', (answer: string) => {
      if (!answer.startsWith('HTTP/1.1 408 ')) throw new Error(`a slow client was answered ${answer}`);
    });
    socket.on('error', () => {}); // a byte that crosses the answer resets the connection
    socket.on('close', () => (this.#sockets[index] = this.#open(index)));
    socket.write(index % 2 === 0 ? halfHeader : halfBody);
    return socket;
  }

  #sendByte(): void {
    this.#sockets[this.#next]?.write(' ');
    this.#next = (this.#next + 1) % this.#sockets.length;
  }
}
