import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { apiAddress, apiKey } from './vendor.ts';

/** The API of a vendor: it answers what a test has set, to those who have the key. */
export interface VendorApi {
  readonly url: string;
  /** By path and query. */
  readonly answers: Map<string, unknown>;
  /** Answers that are given once each, before those. */
  readonly outdated: Map<string, unknown[]>;
  /** The paths of all requests. */
  readonly asked: string[];
  close(): Promise<void>;
}

export async function startVendorApi(): Promise<VendorApi> {
  const answers = new Map<string, unknown>();
  const outdated = new Map<string, unknown[]>();
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const { url = '' } = request;
    asked.push(url);
    const answer = outdated.get(url)?.shift() ?? answers.get(url);
    const isKnown = request.headers.authorization === `Bearer ${apiKey}`;
    const status = !isKnown ? 401 : request.method === 'GET' && answer !== undefined ? 200 : 404;
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(written(answer ?? {}));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const written = (answer: unknown): string => JSON.stringify(answer).replaceAll(apiAddress, address);
  return {
    url: address,
    answers,
    outdated,
    asked,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
