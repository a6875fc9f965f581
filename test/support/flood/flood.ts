import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

const writeSize = 48 * 1024;

/**
 * Sends a head, and then bytes without an end up to `length`, as fast as the other side takes them. Reads what comes back.
 * `localAddress` is where it connects from.
 */
export function flood(url: string, head: string, filling: Buffer, length: number, localAddress = '127.0.0.1'): Socket {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true, noDelay: true, localAddress });
  const block = Buffer.alloc(writeSize - (writeSize % filling.length), filling);
  socket.on('error', () => socket.destroy()).resume();
  void sendAll();
  return socket;

  async function sendAll(): Promise<void> {
    socket.write(head, 'latin1');
    for (let sent = 0; sent < length && socket.writable; sent += block.length) {
      if (socket.write(block.subarray(0, Math.min(block.length, length - sent)))) continue;
      await Promise.race([once(socket, 'drain'), once(socket, 'close')]).catch(() => undefined);
    }
  }
}

/** Sends requests one after another, four of them ahead of their answers. */
export function floodWith(url: string, requests: Iterator<string, never>): Socket {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), noDelay: true }).setEncoding('latin1');
  const send = (count: number): void => {
    for (let sent = 0; sent < count; sent += 1) socket.write(requests.next().value, 'latin1');
  };
  socket.on('error', () => socket.destroy());
  socket.on('data', (answers: string) => send(answers.split('HTTP/1.1 ').length - 1));
  send(4);
  return socket;
}

/** The head of a POST whose content comes in chunks. */
export function chunkedHead(path: string, headers: readonly string[] = []): string {
  return headOf(path, 'Transfer-Encoding: chunked', headers);
}

/** The head of a POST that declares the length of its content. */
export function sizedHead(path: string, length: number, headers: readonly string[] = []): string {
  return headOf(path, `Content-Length: ${length}`, headers);
}

function headOf(path: string, framing: string, headers: readonly string[]): string {
  const lines = [`POST ${path} HTTP/1.1`, 'Host: localhost', 'Content-Type: application/json', framing, ...headers];
  return `${lines.join('\r\n')}\r\n\r\n`;
}

export function chunksOfOneByte(count: number): string {
  return '1\r\nx\r\n'.repeat(count);
}
