import { batchReports } from '../../adapters/metrics/reports.ts';
import type { Call } from '../../core/call.ts';
import type { Retention } from '../../core/entitlement/idempotency/retention.ts';
import type { OpenOptions, Store } from '../../core/store/store.port.ts';
import { UnusableStore } from '../../core/store/unusable-store.ts';
import { storeKindOf } from './store-kind.ts';

/**
 * Opens the store at a `STORE_URL`. Imports its adapter only, because a driver takes longer to load than most commands
 * take to run. Its batches are reported to the metrics of this process. Throws `UnusableStore`.
 */
export async function openStore(url: string, own: OpenOptions, retention: Retention, call: Call): Promise<Store> {
  const options = { onBatch: batchReports.send, ...own };
  switch (storeKindOf(url)) {
    case 'memory':
      return openMemory(retention, options);
    case 'sqlite': {
      const { openSqliteStore } = await import('../../adapters/sqlite/open-sqlite-store.ts');
      return openSqliteStore(url.slice('sqlite:'.length), options, retention, call);
    }
    case 'mongodb': {
      const { openMongoStore } = await import('../../adapters/mongo/open-mongo-store.ts');
      return openMongoStore(url, options, retention, call);
    }
    case null:
      throw new UnusableStore('The store must be memory:, sqlite:PATH or mongodb://HOST/DATABASE.');
  }
}

/** Opens the store if it exists, otherwise an empty one in memory. Throws `UnusableStore` as `openStore` does. */
export async function openStoreOrEmpty(url: string, retention: Retention, call: Call): Promise<Store> {
  try {
    return await openStore(url, { create: false }, retention, call);
  } catch (error) {
    if (error instanceof UnusableStore && error.isMissing) return openMemory(retention);
    throw error;
  }
}

async function openMemory(retention: Retention, options: Pick<OpenOptions, 'serves'> = {}): Promise<Store> {
  const { openMemoryStore } = await import('../../adapters/memory/open-memory-store.ts');
  return openMemoryStore(retention, undefined, options);
}
