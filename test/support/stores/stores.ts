import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MemoryStore } from '../../../adapters/memory/data/memory-store.ts';
import { openMemoryStore } from '../../../adapters/memory/open-memory-store.ts';
import { openStore } from '../../../app/stores/open-store.ts';
import { defaultTtl, retentionFor, type Retention } from '../../../core/entitlement/idempotency/retention.ts';
import type { OpenOptions, Store, StorePorts } from '../../../core/store/store.port.ts';
import { aCall } from '../builders.ts';
import {
  emptyDatabase,
  emptyOpenDatabase,
  freshDatabase,
  ownOpenDatabase,
  type OpenDatabase,
} from '../mongo/mongodb.ts';
import { isLeftOut } from '../run/left-out.ts';
import { openEmptyStore, writeEmptyStore } from './empty-sqlite.ts';

/** The ports of an open store, with what tests need around them. */
export interface OpenedStore extends StorePorts, Pick<Store, 'archive'> {
  /** Opens the same data again, as another process would. Null if the data ends with the process. */
  readonly reopenBeside: (() => Promise<OpenedStore>) | null;

  /** Opens the same data with a retention of its own, as another process with another setting would. */
  readonly openWith: (retention: Retention, options?: Pick<OpenOptions, 'serves'>) => Promise<OpenedStore>;

  /** Makes every event that is stored visible in the log of its product. */
  settle(): Promise<void>;

  /** Closes the store. The store that was opened first also removes the data. */
  close(): Promise<void>;
}

/** Creates and opens an empty store. */
export type OpenStore = (retention?: Retention) => Promise<OpenedStore>;

/** An empty store by its `STORE_URL`, for tests that open it in other processes or through the composition root. */
export interface StoreAddress {
  readonly url: string;
  /** Removes the data. No process may have it open. */
  remove(): Promise<void>;
}

export interface StoreUnderTest {
  readonly name: string;
  /** Whether the data outlives the process, so that the store can be copied and opened twice. */
  readonly archived: boolean;
  readonly open: OpenStore;
  /** Where no store was created yet. */
  readonly address: () => Promise<StoreAddress>;
  /** Where an empty store may be already, which takes a tenth of the time. For one process that closes what it opens. */
  readonly emptyAddress: () => Promise<StoreAddress>;
}

/** Opens the store at `url`, or creates it. */
export async function openAt(
  url: string,
  retention = retentionFor(defaultTtl),
  options: Pick<OpenOptions, 'serves' | 'onUpgrade'> = {},
): Promise<OpenedStore> {
  return openedAt(url, await openStore(url, { ...options, create: true }, retention, aCall()), retention);
}

function openedAt(url: string, store: Store, retention: Retention): OpenedStore {
  return {
    ...store.ports,
    archive: store.archive,
    reopenBeside: store.archive === null ? null : () => openAt(url, retention),
    openWith: (other, otherOptions) => openAt(url, other, otherOptions),
    settle: async () => {
      while ((await store.archive?.moveEvents(aCall())) === false);
    },
    close: () => store.close(),
  };
}

const inMemory: StoreAddress = { url: 'memory:', remove: async () => {} };

export const memory: StoreUnderTest = {
  name: 'memory',
  archived: false,
  open: async (retention = retentionFor(defaultTtl)) => openMemory(new MemoryStore(), retention),
  address: async () => inMemory,
  emptyAddress: async () => inMemory,
};

function openMemory(data: MemoryStore, retention: Retention, options?: Pick<OpenOptions, 'serves'>): OpenedStore {
  const store = openMemoryStore(retention, data, options);
  return {
    ...store.ports,
    archive: store.archive,
    reopenBeside: null,
    openWith: async (other, otherOptions) => openMemory(data, other, otherOptions),
    settle: async () => {},
    close: () => store.close(),
  };
}

export const sqlite: StoreUnderTest = {
  name: 'sqlite',
  archived: true,
  open: async (retention = retentionFor(defaultTtl)) => {
    const { path, store } = await openEmptyStore(retention);
    return openedAt(`sqlite:${path}`, store, retention);
  },
  address: freshFile,
  emptyAddress: async () => {
    const file = await freshFile();
    await writeEmptyStore(file.path);
    return file;
  },
};

async function freshFile(): Promise<StoreAddress & { readonly path: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-'));
  const path = join(folder, 'latchkey.db');
  return { path, url: `sqlite:${path}`, remove: () => rm(folder, { recursive: true }) };
}

export const mongo: StoreUnderTest = {
  name: 'mongo',
  archived: true,
  address: freshDatabase,
  emptyAddress: emptyDatabase,
  open: async (retention = retentionFor(defaultTtl)) => openIn(await emptyOpenDatabase(), retention),
};

/** Opens the store of this file on its own MongoDB server, without what earlier tests have left. They have closed it. */
export async function openOwnStore(): Promise<OpenedStore> {
  return openIn(await ownOpenDatabase(), retentionFor(defaultTtl));
}

async function openIn({ url, database, remove }: OpenDatabase, retention: Retention): Promise<OpenedStore> {
  const { mongoStoreIn } = await import('../../../adapters/mongo/open-mongo-store.ts');
  const store = openedAt(url, await mongoStoreIn(database, {}, retention, aCall()), retention);
  const close = async (): Promise<void> => {
    await store.close();
    await remove();
  };
  return { ...store, close };
}

/** The stores whose data outlives the process, so that several processes can share it. */
export const durableStores: readonly StoreUnderTest[] = [sqlite, ...(isLeftOut('mongodb') ? [] : [mongo])];

/** The stores that every contract runs on. */
export const stores: readonly StoreUnderTest[] = [memory, ...durableStores];

/**
 * The stores for what stands above the ports, such as the limits of a caller: one that keeps objects, and one that keeps
 * rows. The contracts of the ports prove on every store what it needs of them.
 */
export const twoStores: readonly StoreUnderTest[] = [memory, sqlite];

/** Creates a store before each test of the calling suite, and removes it afterwards. */
export function freshStore(open: OpenStore, retention?: Retention): () => OpenedStore {
  let store: OpenedStore | null = null;
  beforeEach(async () => {
    store = await open(retention);
  });
  afterEach(async () => {
    await store?.close();
    store = null;
  });
  return () => {
    if (store === null) throw new Error('the store is open during a test only');
    return store;
  };
}

/** Does `work` on the store as another process sees it or, if the data ends with the process, on the store itself. */
export async function beside<T>(store: OpenedStore, work: (other: OpenedStore) => Promise<T>): Promise<T> {
  if (store.reopenBeside === null) return work(store);
  const other = await store.reopenBeside();
  try {
    return await work(other);
  } finally {
    await other.close();
  }
}
