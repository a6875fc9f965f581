import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore } from '../../../app/stores/open-store.ts';
import { defaultTtl, retentionFor, type Retention } from '../../../core/entitlement/idempotency/retention.ts';
import type { Store, StorePorts } from '../../../core/store/store.port.ts';
import { aCall } from '../builders.ts';
import { freshDatabase, withoutMongodb } from '../mongo/mongodb.ts';

/** An open store with its ports at hand. */
export interface OpenedStore extends StorePorts, Pick<Store, 'archive'> {
  /** Opens the same data once more, as another process would; null where the data lives in one process. */
  readonly reopenBeside: (() => Promise<OpenedStore>) | null;

  /** Closes the store; the one that was opened first takes the data with it. */
  close(): Promise<void>;
}

/** Opens a fresh, empty store. */
export type OpenStore = (retention?: Retention) => Promise<OpenedStore>;

/** A fresh, empty store as `STORE_URL` names it, for tests that open it by the composition root or in other processes. */
export interface StoreAddress {
  readonly url: string;
  /** Removes the data; nothing may have it open any more. */
  remove(): Promise<void>;
}

export interface StoreUnderTest {
  readonly name: string;
  /** Whether its data outlives the process, so that it can be copied and opened twice. */
  readonly archived: boolean;
  readonly open: OpenStore;
  readonly address: () => Promise<StoreAddress>;
}

function underTest(name: string, address: StoreUnderTest['address']): StoreUnderTest {
  const open: OpenStore = async (retention) => {
    const fresh = await address();
    const store = await openAt(fresh.url, retention);
    const close = async (): Promise<void> => {
      await store.close();
      await fresh.remove();
    };
    return { ...store, close };
  };
  return { name, archived: name !== 'memory', open, address };
}

/** Opens the store at `url`, and creates it where there is none. */
export async function openAt(url: string, retention = retentionFor(defaultTtl)): Promise<OpenedStore> {
  const store = await openStore(url, { create: true }, retention, aCall());
  return {
    ...store.ports,
    archive: store.archive,
    reopenBeside: store.archive === null ? null : () => openAt(url, retention),
    close: () => store.close(),
  };
}

export const memory = underTest('memory', async () => ({ url: 'memory:', remove: async () => {} }));

export const sqlite = underTest('sqlite', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-'));
  return { url: `sqlite:${join(folder, 'latchkey.db')}`, remove: () => rm(folder, { recursive: true }) };
});

export const mongo = underTest('mongo', freshDatabase);

/** The stores on which every promise is tested. */
export const stores: readonly StoreUnderTest[] = [memory, sqlite, ...(withoutMongodb ? [] : [mongo])];

/** A fresh store for each test of the suite that calls this, closed after the test. */
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

/** Does `work` on the store itself or, where there can be one, on another process's view of it. */
export async function beside<T>(store: OpenedStore, work: (other: OpenedStore) => Promise<T>): Promise<T> {
  if (store.reopenBeside === null) return work(store);
  const other = await store.reopenBeside();
  try {
    return await work(other);
  } finally {
    await other.close();
  }
}
