import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { apiKey } from './vendor.ts';

/** The API of a vendor: it answers what a test has set, to those who have the key. */
export interface VendorApi {
  readonly url: string;
  /** By path and query. */
  readonly answers: Map<string, unknown>;
  close(): Promise<void>;
}

export async function startVendorApi(): Promise<VendorApi> {
  const answers = new Map<string, unknown>();
  const server = createServer((request, response) => {
    const answer = answers.get(request.url ?? '');
    const isKnown = request.headers.authorization === `Bearer ${apiKey}`;
    const status = !isKnown ? 401 : request.method === 'GET' && answer !== undefined ? 200 : 404;
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(answer ?? {}));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answers,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
