import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { startServer, type RunningServer, type ServerParts } from '../../../app/server/server.ts';
import { createContainer } from '../../../app/service/container.ts';
import { loggerTo } from '../../../app/service/logger.ts';
import { tokens } from '../../../app/service/tokens.ts';
import { defaultSettings } from '../../../app/settings/resolve.ts';
import { openStore } from '../../../app/stores/open-store.ts';
import { defaultTtl, retentionFor } from '../../../core/entitlement/idempotency/retention.ts';
import { aCall, aListing, noon } from '../../support/builders.ts';
import { aLatch } from '../../support/latch.ts';
import { outputs } from '../../support/run/output-search.ts';
import { interposed } from '../../support/stores/interposed.ts';

const settings = { ...defaultSettings, port: 0 };

/** The parts of a server over a store with one listing, which waits before it returns the catalog. */
async function partsWaiting(before: () => Promise<unknown>): Promise<ServerParts> {
  const store = await openStore('memory:', { create: true }, retentionFor(defaultTtl), aCall());
  await store.ports.listings.put([aListing()], aCall());
  const container = createContainer(store.ports);
  const listings = interposed(container.get(tokens.listings), async (method) => {
    if (method === 'load') await before();
  });
  container.rebind(tokens.listings).toConstantValue(listings);
  const log = loggerTo({ write: (line) => outputs.log('the log of a server that loads', line) });
  return { container, metrics: null, store, clock: () => noon, log };
}

/** The parts of a server that listens only once it has a catalog, which its store never returns. */
async function waitingForEver(onLoad: () => void): Promise<ServerParts> {
  const parts = await partsWaiting(() => {
    onLoad();
    return new Promise(() => {});
  });
  return { ...parts, loadsFirst: true };
}

describe('a server that loads its catalog', () => {
  const ofCatalog = [
    '/api/marketplace/listings',
    '/api/marketplace/listings/quiet-editor',
    '/',
    '/listings/quiet-editor',
    '/sitemap.xml',
    '/sitemaps/1.xml',
  ];
  let server: RunningServer | null = null;
  afterEach(() => server?.stop(0));

  async function statusOf(path: string): Promise<number> {
    const headers = { accept: path.startsWith('/api/') ? 'application/json' : 'text/html' };
    return (await fetch(`${server?.url}${path}`, { headers })).status;
  }

  it('lets requests of the catalog wait for it, and answers all others', async () => {
    const latch = aLatch();
    server = await startServer(await partsWaiting(() => latch.released), settings);
    const answered: string[] = [];
    const waiting = ofCatalog.map(async (path) => {
      const status = await statusOf(path);
      answered.push(path);
      return status;
    });
    const others = ['/livez', '/readyz', '/robots.txt', '/api/licenses/verify', '/sitemaps/x.xml'];
    expect(await Promise.all(others.map(statusOf))).to.deep.equal([200, 503, 200, 405, 404]);
    expect(answered).to.deep.equal([]);
    latch.release();
    expect(await Promise.all(waiting)).to.deep.equal(ofCatalog.map(() => 200));
    await server.loaded;
    expect(await statusOf('/readyz')).to.equal(200);
  });

  it('refuses requests of the catalog at their deadline', async () => {
    server = await startServer(await partsWaiting(() => new Promise(() => {})), { ...settings, storeDeadline: 100 });
    expect(await Promise.all(ofCatalog.map(statusOf))).to.deep.equal(ofCatalog.map(() => 500));
  });

  it('holds its memory until the catalog is loaded', async () => {
    const latch = aLatch();
    const steps: string[] = [];
    const holdMemory = () => {
      steps.push('held');
      return () => void steps.push('released');
    };
    server = await startServer({ ...(await partsWaiting(() => latch.released)), holdMemory }, settings);
    expect(steps).to.deep.equal(['held']);
    latch.release();
    await server.loaded;
    expect(steps).to.deep.equal(['held', 'released']);
  });
});

describe('a server that listens only once its catalog is loaded', () => {
  it('does not wait for the catalog if it is stopped', async () => {
    const stopping = new AbortController();
    const parts = await waitingForEver(() => stopping.abort());
    const error: unknown = await startServer(parts, settings, stopping.signal).catch((reason: unknown) => reason);
    expect(error).to.equal(stopping.signal.reason);
  });

  it('waits as long as it is not stopped', async () => {
    const stopping = new AbortController();
    const { promise: loading, resolve } = Promise.withResolvers<void>();
    const starting = startServer(await waitingForEver(resolve), settings, stopping.signal).catch(() => 'stopped');
    await loading;
    expect(await Promise.race([starting, sleep(20, 'waiting')])).to.equal('waiting');
    stopping.abort();
    expect(await starting).to.equal('stopped');
  });
});
