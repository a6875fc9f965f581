import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { stripTypeScriptTypes } from 'node:module';
import type { AddressInfo } from 'node:net';

const root = new URL('../../', import.meta.url);

/** A site with an empty page, and the sources of the client as JavaScript. */
export interface ClientSite {
  readonly url: string;
  close(): void;
}

/** Serves the client on loopback. */
export async function serveClient(): Promise<ClientSite> {
  const server: Server = createServer((request, response) => {
    const path = request.url ?? '/';
    if (!path.startsWith('/client/')) return void response.setHeader('Content-Type', 'text/html').end('<title>Shop');
    const source = stripTypeScriptTypes(readFileSync(new URL(`.${path}`, root), 'utf8'));
    response.setHeader('Content-Type', 'text/javascript').end(source);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, close: () => void server.close() };
}
