import { createServer, type Server } from 'node:net';

/**
 * Where free ports are looked for: below those that systems give to outgoing connections, so that no connection takes a
 * port while the server that it was found for is down.
 */
const [firstPort, lastPort] = [10_000, 32_000];

/** Finds ports on which nothing listens. */
export async function freePorts(count: number): Promise<readonly number[]> {
  const servers: Server[] = [];
  const ports: number[] = [];
  while (ports.length < count) {
    const port = firstPort + Math.floor(Math.random() * (lastPort - firstPort));
    const server = await listening(port);
    if (server === null) continue;
    servers.push(server);
    ports.push(port);
  }
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}

/** A server on a port; null if the port is taken. */
function listening(port: number): Promise<Server | null> {
  const server = createServer();
  const { promise, resolve } = Promise.withResolvers<Server | null>();
  server.once('error', () => resolve(null));
  server.listen(port, '127.0.0.1', () => resolve(server));
  return promise;
}
