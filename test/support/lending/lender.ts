import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';

/**
 * The resources that a process of the tests can ask for: the shared MongoDB server, one that nobody else uses
 * meanwhile, or the shared browser.
 */
export type Wanted = 'mongodb' | 'own mongodb' | 'browser';

/** A resource that is lent. */
interface Lent {
  readonly url: string;
  end(): Promise<unknown>;
}

export interface Lender {
  /** Ends everything that was started. */
  end(): Promise<void>;
}

/** Where `borrow` finds the lender. */
export const lenderPort = 'TEST_LENDER';

/**
 * Lends MongoDB servers, each a replica set of one, and a browser to all processes of a run, and starts each when it is
 * first asked for. A connection is a loan: what it borrowed is free again when it closes, also if its process has died.
 */
export async function lend(): Promise<Lender> {
  const ofAll = new Map<Wanted, Promise<Lent>>();
  const own = new Set<Promise<Lent>>();
  const free: Promise<Lent>[] = [];

  const lentFor = (wanted: Wanted, socket: Socket): Promise<Lent> => {
    if (wanted !== 'own mongodb') {
      const lent = ofAll.get(wanted) ?? (wanted === 'browser' ? startBrowser() : startServer());
      ofAll.set(wanted, lent);
      return lent;
    }
    const lent = free.pop() ?? startServer();
    own.add(lent);
    socket.once('close', () => free.push(lent));
    return lent;
  };
  const listener = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    socket.once('data', (wanted) => {
      lentFor(wanted.toString() as Wanted, socket).then(
        ({ url }) => socket.write(JSON.stringify({ url })),
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
      await Promise.allSettled([...ofAll.values(), ...own].map(async (lent) => (await lent).end()));
    },
  };
}

/** Loads the driver here, so that a run without MongoDB does not. */
async function startServer(): Promise<Lent> {
  const { startServers } = await import('../mongo/mongod.ts');
  const servers = await startServers(1);
  return { url: servers.url(''), end: () => servers.end() };
}

/** Loads Playwright here, so that a run without Chromium does not. */
async function startBrowser(): Promise<Lent> {
  const { serveChromium } = await import('../../browser/launch-chromium.ts');
  const server = await serveChromium();
  return { url: server.wsEndpoint(), end: () => server.close() };
}
