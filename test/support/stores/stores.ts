import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MemoryAllAppKeys } from '../../../adapters/memory/memory-all-app-keys.ts';
import { MemoryAllEntitlements } from '../../../adapters/memory/memory-all-entitlements.ts';
import { MemoryAppKeys } from '../../../adapters/memory/memory-app-keys.ts';
import { MemoryEntitlements } from '../../../adapters/memory/memory-entitlements.ts';
import { MemoryIdempotencyRecords } from '../../../adapters/memory/memory-idempotency-records.ts';
import { MemoryLicenses } from '../../../adapters/memory/memory-licenses.ts';
import { MemoryListings } from '../../../adapters/memory/memory-listings.ts';
import { MemoryMaintenance } from '../../../adapters/memory/memory-maintenance.ts';
import { MemoryProducts } from '../../../adapters/memory/memory-products.ts';
import { MemoryStore } from '../../../adapters/memory/memory-store.ts';
import { MemoryWaitlist } from '../../../adapters/memory/memory-waitlist.ts';
import { MongoAllAppKeys } from '../../../adapters/mongo/access/mongo-all-app-keys.ts';
import { MongoAllEntitlements } from '../../../adapters/mongo/entitlement/mongo-all-entitlements.ts';
import { MongoAppKeys } from '../../../adapters/mongo/access/mongo-app-keys.ts';
import { MongoArchive } from '../../../adapters/mongo/maintenance/mongo-archive.ts';
import { MongoEntitlements } from '../../../adapters/mongo/entitlement/mongo-entitlements.ts';
import { MongoIdempotencyRecords } from '../../../adapters/mongo/entitlement/mongo-idempotency-records.ts';
import { MongoLicenses } from '../../../adapters/mongo/entitlement/mongo-licenses.ts';
import { MongoListings } from '../../../adapters/mongo/catalog/mongo-listings.ts';
import { MongoMaintenance } from '../../../adapters/mongo/maintenance/mongo-maintenance.ts';
import { MongoProducts } from '../../../adapters/mongo/mongo-products.ts';
import { MongoWaitlist } from '../../../adapters/mongo/mongo-waitlist.ts';
import type { MongoStore } from '../../../adapters/mongo/driver/mongo-store.ts';
import { openMongo } from '../../../adapters/mongo/open-mongo-store.ts';
import { SqliteAllAppKeys } from '../../../adapters/sqlite/access/sqlite-all-app-keys.ts';
import { SqliteAllEntitlements } from '../../../adapters/sqlite/entitlement/sqlite-all-entitlements.ts';
import { SqliteAppKeys } from '../../../adapters/sqlite/access/sqlite-app-keys.ts';
import { openSqlite } from '../../../adapters/sqlite/engine/database.ts';
import { SqliteArchive } from '../../../adapters/sqlite/maintenance/sqlite-archive.ts';
import { SqliteEntitlements } from '../../../adapters/sqlite/entitlement/sqlite-entitlements.ts';
import { SqliteIdempotencyRecords } from '../../../adapters/sqlite/entitlement/sqlite-idempotency-records.ts';
import { SqliteLicenses } from '../../../adapters/sqlite/entitlement/sqlite-licenses.ts';
import { SqliteListings } from '../../../adapters/sqlite/catalog/sqlite-listings.ts';
import { SqliteMaintenance } from '../../../adapters/sqlite/maintenance/sqlite-maintenance.ts';
import { SqliteProducts } from '../../../adapters/sqlite/sqlite-products.ts';
import { SqliteStore } from '../../../adapters/sqlite/engine/sqlite-store.ts';
import { SqliteWaitlist } from '../../../adapters/sqlite/sqlite-waitlist.ts';
import type { AllAppKeys } from '../../../core/access/all-app-keys.port.ts';
import type { AppKeys } from '../../../core/access/app-keys.port.ts';
import type { Listings } from '../../../core/catalog/listings.port.ts';
import type { AllEntitlements } from '../../../core/entitlement/administration/all-entitlements.port.ts';
import type { Archive } from '../../../core/copy/archive.port.ts';
import type { Entitlements } from '../../../core/entitlement/merchant/entitlements.port.ts';
import type { IdempotencyRecords } from '../../../core/entitlement/idempotency/idempotency-records.port.ts';
import { defaultTtl, retentionFor, type Retention } from '../../../core/entitlement/idempotency/retention.ts';
import type { Licenses } from '../../../core/entitlement/license/licenses.port.ts';
import type { Maintenance } from '../../../core/maintenance/maintenance.port.ts';
import type { Products } from '../../../core/product/products.port.ts';
import type { Waitlist } from '../../../core/waitlist/waitlist.port.ts';
import { aCall } from '../builders.ts';
import { freshDatabase, withoutMongodb } from '../mongo/mongodb.ts';

/** Every port of one store. */
export interface Ports {
  readonly entitlements: Entitlements;
  readonly records: IdempotencyRecords;
  readonly licenses: Licenses;
  readonly allEntitlements: AllEntitlements;
  readonly appKeys: AppKeys;
  readonly allAppKeys: AllAppKeys;
  readonly products: Products;
  readonly listings: Listings;
  readonly waitlist: Waitlist;
  readonly maintenance: Maintenance;
  /** Null where nothing is kept that could be copied. */
  readonly archive: Archive | null;
}

export interface OpenedStore extends Ports {
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
  /** Whether it can be copied. */
  readonly archived: boolean;
  readonly open: OpenStore;
  readonly address: () => Promise<StoreAddress>;
}

export const memory: StoreUnderTest = {
  name: 'memory',
  archived: false,
  open: async (retention = retentionFor(defaultTtl)) => {
    const store = new MemoryStore();
    return {
      entitlements: new MemoryEntitlements(store, retention),
      records: new MemoryIdempotencyRecords(store, retention),
      licenses: new MemoryLicenses(store),
      allEntitlements: new MemoryAllEntitlements(store),
      appKeys: new MemoryAppKeys(store),
      allAppKeys: new MemoryAllAppKeys(store),
      products: new MemoryProducts(store),
      listings: new MemoryListings(store),
      waitlist: new MemoryWaitlist(store),
      maintenance: new MemoryMaintenance(store, retention),
      archive: null,
      reopenBeside: null,
      close: async () => {},
    };
  },
  address: async () => ({ url: 'memory:', remove: async () => {} }),
};

export const sqlite: StoreUnderTest = {
  name: 'sqlite',
  archived: true,
  open: async (retention = retentionFor(defaultTtl)) => {
    const folder = await mkdtemp(join(tmpdir(), 'latchkey-'));
    const store = await openSqliteStore(join(folder, 'latchkey.db'), retention);
    return {
      ...store,
      close: async () => {
        await store.close();
        await rm(folder, { recursive: true });
      },
    };
  },
  address: async () => {
    const folder = await mkdtemp(join(tmpdir(), 'latchkey-'));
    return { url: `sqlite:${join(folder, 'latchkey.db')}`, remove: () => rm(folder, { recursive: true }) };
  },
};

export const mongo: StoreUnderTest = {
  name: 'mongo',
  archived: true,
  open: async (retention = retentionFor(defaultTtl)) => {
    const { url, remove } = await freshDatabase();
    const store = await openMongoStore(url, retention);
    return {
      ...store,
      close: async () => {
        await store.close();
        await remove();
      },
    };
  },
  address: freshDatabase,
};

/** The stores on which every promise is tested. */
export const stores: readonly StoreUnderTest[] = [memory, sqlite, ...(withoutMongodb ? [] : [mongo])];

/** The ports of the SQLite file at `path`, which is created where it does not exist. */
export async function openSqliteStore(path: string, retention = retentionFor(defaultTtl)): Promise<OpenedStore> {
  const store = new SqliteStore(await openSqlite(path, { create: true }, aCall()));
  return {
    ...sqlitePorts(store, retention),
    reopenBeside: () => openSqliteStore(path, retention),
    close: () => store.close(),
  };
}

export function sqlitePorts(store: SqliteStore, retention = retentionFor(defaultTtl)): Ports {
  return {
    entitlements: new SqliteEntitlements(store, retention),
    records: new SqliteIdempotencyRecords(store, retention),
    licenses: new SqliteLicenses(store),
    allEntitlements: new SqliteAllEntitlements(store),
    appKeys: new SqliteAppKeys(store),
    allAppKeys: new SqliteAllAppKeys(store),
    products: new SqliteProducts(store),
    listings: new SqliteListings(store),
    waitlist: new SqliteWaitlist(store),
    maintenance: new SqliteMaintenance(store, retention),
    archive: new SqliteArchive(store),
  };
}

/** The ports of the database at `url`, which is made ready where it is empty. */
export async function openMongoStore(url: string, retention = retentionFor(defaultTtl)): Promise<OpenedStore> {
  const store = await openMongo(url, { create: true }, aCall());
  return {
    ...mongoPorts(store, retention),
    reopenBeside: () => openMongoStore(url, retention),
    close: () => store.close(),
  };
}

export function mongoPorts(store: MongoStore, retention = retentionFor(defaultTtl)): Ports {
  return {
    entitlements: new MongoEntitlements(store, retention),
    records: new MongoIdempotencyRecords(store, retention),
    licenses: new MongoLicenses(store),
    allEntitlements: new MongoAllEntitlements(store),
    appKeys: new MongoAppKeys(store),
    allAppKeys: new MongoAllAppKeys(store),
    products: new MongoProducts(store),
    listings: new MongoListings(store),
    waitlist: new MongoWaitlist(store),
    maintenance: new MongoMaintenance(store, retention),
    archive: new MongoArchive(store),
  };
}

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
