import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { startServer, type ServerParts } from '../../../app/server/server.ts';
import { createContainer } from '../../../app/service/container.ts';
import { loggerTo } from '../../../app/service/logger.ts';
import { tokens } from '../../../app/service/tokens.ts';
import { defaultSettings } from '../../../app/settings/resolve.ts';
import { openStore } from '../../../app/stores/open-store.ts';
import type { LoadedCatalog } from '../../../core/catalog/listings.port.ts';
import { defaultTtl, retentionFor } from '../../../core/entitlement/idempotency/retention.ts';
import { aCall, noon } from '../../support/builders.ts';
import { outputs } from '../../support/run/output-search.ts';

const settings = { ...defaultSettings, port: 0 };

/** The parts of a server whose store never returns the catalog. */
async function withoutCatalog(onLoad: () => void): Promise<ServerParts> {
  const store = await openStore('memory:', { create: true }, retentionFor(defaultTtl), aCall());
  const container = createContainer(store.ports);
  const listings = container.get(tokens.listings);
  const load = (): Promise<LoadedCatalog> => {
    onLoad();
    return new Promise(() => {});
  };
  container.rebind(tokens.listings).toConstantValue(Object.assign(Object.create(listings), { load }));
  const log = loggerTo({ write: (line) => outputs.log('the log of a server that does not start', line) });
  return { container, metrics: null, store, clock: () => noon, log };
}

describe('a server that is stopped while it loads its catalog', () => {
  it('does not wait for the catalog', async () => {
    const stopping = new AbortController();
    const parts = await withoutCatalog(() => stopping.abort());
    const error: unknown = await startServer(parts, settings, stopping.signal).catch((reason: unknown) => reason);
    expect(error).to.equal(stopping.signal.reason);
  });

  it('waits as long as it is not stopped', async () => {
    const stopping = new AbortController();
    const { promise: loading, resolve } = Promise.withResolvers<void>();
    const starting = startServer(await withoutCatalog(resolve), settings, stopping.signal).catch(() => 'stopped');
    await loading;
    expect(await Promise.race([starting, sleep(20, 'waiting')])).to.equal('waiting');
    stopping.abort();
    expect(await starting).to.equal('stopped');
  });
});
