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
 * Connects clients that send a request byte by byte and never finish it: half of them the header section, half of them
 * the content. When the server closes a connection, another client takes its place. Returns what ends them.
 */
export async function dribble(port: number, clients: number): Promise<() => void> {
  const open = (index: number): Socket => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true }).setEncoding('latin1');
    socket.on('data', (answer: string) => {
      if (!answer.startsWith('HTTP/1.1 408 ')) throw new Error(`a slow client was answered ${answer}`);
    });
    socket.on('error', () => {}); // a byte that crosses the answer resets the connection
    socket.on('close', () => (sockets[index] = open(index)));
    socket.write(index % 2 === 0 ? halfHeader : halfBody);
    return socket;
  };
  const sockets = Array.from({ length: clients }, (_, index) => open(index));
  let next = 0;
  const timer = setInterval(() => {
    for (let count = 0; count < (clients * turn) / pace; count += 1) {
      sockets[next]?.write(' ');
      next = (next + 1) % clients;
    }
  }, turn);
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  return () => {
    clearInterval(timer);
    for (const socket of sockets) socket.removeAllListeners('close').destroy();
  };
}
