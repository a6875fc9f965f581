import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import type { Servers } from './mongod.ts';

/** What a process of the tests asks for: the server of all, or one that nobody else uses meanwhile. */
export type Wanted = 'shared' | 'own';

export interface Lender {
  /** Ends every server that was started. */
  end(): Promise<void>;
}

/** Where `borrowServer` finds the lender. */
export const lenderPort = 'TEST_MONGODB_LENDER';

/**
 * Lends MongoDB servers, each a replica set of one, to all processes of a run, and starts one when it is first asked
 * for. A connection is a loan: what it borrowed is free again when it closes, also if its process has died.
 */
export async function lendServers(): Promise<Lender> {
  let shared: Promise<Servers> | null = null;
  const own = new Set<Promise<Servers>>();
  const free: Promise<Servers>[] = [];

  const lend = (wanted: Wanted, socket: Socket): Promise<Servers> => {
    if (wanted === 'shared') return (shared ??= start());
    const servers = free.pop() ?? start();
    own.add(servers);
    socket.once('close', () => free.push(servers));
    return servers;
  };
  const listener = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    socket.once('data', (wanted) => {
      lend(wanted.toString() as Wanted, socket).then(
        (servers) => socket.write(JSON.stringify({ url: servers.url('') })),
        (error: unknown) => socket.write(JSON.stringify({ error: String(error) })),
      );
    });
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  listener.unref();
  process.env[lenderPort] = String((listener.address() as AddressInfo).port);

  return {
    async end() {
      listener.close();
      delete process.env[lenderPort];
      const started = shared === null ? [...own] : [shared, ...own];
      await Promise.allSettled(started.map(async (servers) => (await servers).end()));
    },
  };
}

/** Loads the driver here, so that a run without MongoDB does not. */
async function start(): Promise<Servers> {
  const { startServers } = await import('./mongod.ts');
  return startServers(1);
}
