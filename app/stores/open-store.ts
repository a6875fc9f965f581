import type { MigrateOptions, StorePair, StoreUrls } from '../../adapters/cli/shell/shell.ts';
import { batchReports } from '../../adapters/metrics/reports.ts';
import type { Call } from '../../core/call.ts';
import type { Archive } from '../../core/copy/archive.port.ts';
import type { CopyStore } from '../../core/copy/copy-store.ts';
import { defaultTtl, retentionFor, type Retention } from '../../core/entitlement/idempotency/retention.ts';
import {
  UnusableStore,
  type OnUpgrade,
  type OpenOptions,
  type Store,
  type StorePorts,
} from '../../core/store/store.port.ts';
import { brokenStoreUrl, storeKindOf } from './store-url.ts';

/**
 * Opens the store at a `STORE_URL`. Imports its adapter only, because a driver takes longer to load than most commands
 * take to run. Its batches are reported to the metrics of this process. Throws `UnusableStore`.
 */
export async function openStore(url: string, own: OpenOptions, retention: Retention, call: Call): Promise<Store> {
  const broken = brokenStoreUrl(url);
  if (broken !== null) throw new UnusableStore(`The URL of the store ${broken}.`);
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
      throw new UnusableStore('The URL of the store has an unknown scheme.');
  }
}

/** Checks the URL of a store without opening it. Throws `UnusableStore` for one that `openStore` would refuse in any case. */
export async function checkStoreUrl(url: string): Promise<void> {
  if (storeKindOf(url) !== 'mongodb') return;
  const { checkAddress } = await import('../../adapters/mongo/driver/address.ts');
  checkAddress(url);
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

/**
 * Brings the schema of a store up to this release. A server does so with SQLite when it starts; on MongoDB it does not,
 * because processes of the old release may still use the database.
 */
export async function migrateStore(
  url: string,
  options: MigrateOptions,
  onUpgrade: OnUpgrade,
  call: Call,
): Promise<void> {
  if (storeKindOf(url) === 'mongodb') {
    const { migrateMongoDatabase } = await import('../../adapters/mongo/open-mongo-database.ts');
    await migrateMongoDatabase(url, { ...options, onUpgrade }, call);
    return;
  }
  const store = await openStore(url, { create: false, onUpgrade }, retentionFor(defaultTtl), call);
  await store.close();
}

/** Opens two stores for a copy, which may create the second, or for a comparison. Throws `UnusableStore`. */
export async function openStorePair(
  { from, to }: StoreUrls,
  options: { readonly create: boolean },
  call: Call,
): Promise<StorePair> {
  const opened: Store[] = [];
  const close = async (): Promise<void> => {
    for (const store of opened) await store.close();
  };
  try {
    const [source, sourcePorts] = await open(from, { create: false, readOnly: true });
    const [target, targetPorts] = await open(to, { ...options, readOnly: !options.create });
    // Loaded here, because only two commands copy or compare.
    const { copyStore } = await import('../../core/copy/copy-store.ts');
    const { compareStores } = await import('../../core/copy/compare-stores.ts');
    const copy: CopyStore = async (copyOptions, newCall, progress) => {
      const copied = await copyStore(source, target)(copyOptions, newCall, progress);
      // A copy of a restored backup is one as well.
      const restoredAt = await sourcePorts.clockMarks.restoredAt(newCall());
      if (restoredAt !== null) await targetPorts.clockMarks.noteRestore(restoredAt, newCall());
      return copied;
    };
    return { copy, compare: compareStores(source, target), close };
  } catch (error) {
    await close();
    throw error;
  }

  async function open(url: string, optionsOfStore: OpenOptions): Promise<readonly [Archive, StorePorts]> {
    // A copy includes the expired idempotency records, so any retention will do.
    const store = await openStore(url, optionsOfStore, retentionFor(defaultTtl), call);
    opened.push(store);
    if (store.archive === null) throw new UnusableStore('Only stores on SQLite and MongoDB can be copied or compared.');
    return [store.archive, store.ports];
  }
}
