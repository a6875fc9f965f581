import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { expect } from 'chai';
import { sendParts } from '../../../../adapters/http/server/send-parts.ts';
import { waitUntil } from '../../../support/event-loop.ts';
import { RawClient } from '../../../support/http/raw-client.ts';
import { range } from '../../../support/range.ts';

const piece = 'x'.repeat(65_536);
const request = 'GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n';

/** Serves one piece more than `pieces` to every request, and reports when it has sent them, or has ended. */
async function serve(
  pieces: number,
  timeout: number,
  over: () => void,
): Promise<{ readonly url: string; readonly close: () => void }> {
  async function* others(): AsyncIterable<string> {
    for (const _ of range(pieces)) yield piece;
  }
  const server = createServer((_request, response) => void sendParts(response, piece, others(), timeout).then(over));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, close: () => void server.close() };
}

describe('an answer in parts', () => {
  it('ends with its connection when its client does not take a part in time, although bytes move', async () => {
    let isOver = false;
    const { url, close } = await serve(10_000, 100, () => (isOver = true));
    const client = new RawClient(url);
    await once(client.socket, 'connect');
    client.socket.pause();
    client.send(request);
    const reading = setInterval(() => client.socket.read(1), 10);
    try {
      await waitUntil(() => isOver);
    } finally {
      clearInterval(reading);
      client.close();
      close();
    }
  });

  it('is not made for a client that has left before its first part', async () => {
    const left = Promise.withResolvers<void>();
    const server = createServer((_request, response) => {
      response.once('close', () => left.resolve(sendParts(response, piece, Readable.from([]), 20_000)));
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const client = new RawClient(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    client.send(request);
    await once(server, 'request');
    client.close();
    await left.promise;
    server.close();
  });

  it('is whole for a client that takes each part in time', async () => {
    let isOver = false;
    const { url, close } = await serve(100, 20_000, () => (isOver = true));
    const client = new RawClient(url);
    client.send(request);
    expect(await client.closed(20_000)).to.equal(true);
    await waitUntil(() => isOver);
    expect(client.rest.split('x').length - 1).to.equal(101 * piece.length);
    expect(client.rest).to.match(/\r\n0\r\n\r\n$/);
    close();
  });
});
